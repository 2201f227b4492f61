/// Puts one engine under stress and checks what it promises: that every query can be stopped soon, that many clients
/// get right results from little memory, that a short query stays quick beside long ones, that a slow caller slows
/// the scan.
///
/// Start at [StressCommand]. All work on a [StressedEngine]: one engine over the tables of TPC-H, the 22 queries, and
/// their right answers.
package dev.chert.bench.stress;
