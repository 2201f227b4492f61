/// Rules about the project as a whole, checked on its sources and class files.
///
/// They stand in this module since it is the last of the build and has every other on its class path. A rule that a new
/// package breaks with good reason is changed here, in the same commit, where a reviewer sees it.
package dev.chert.architecture;
