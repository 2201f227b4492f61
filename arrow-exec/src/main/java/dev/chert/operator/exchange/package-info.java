/// Hands batches from one pipeline to another while both run, or to the caller. Start with [BatchQueue].
package dev.chert.operator.exchange;
