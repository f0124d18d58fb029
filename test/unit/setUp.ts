import fc from "fast-check";
import { isFull, seed } from "./randomCases";

// What fails is told again with HEATFLOW_SEED. It is told before its test's time is over, however long it would take to make the failing
// case smaller: else nobody learns what failed, and the search goes on beside the tests that follow.
const inTime = { interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true };
fc.configureGlobal({ seed, ...(isFull ? {} : inTime) });
