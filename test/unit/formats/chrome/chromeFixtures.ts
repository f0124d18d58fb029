/** A small trace with every kind of event, as a tool writes a list. */
export const plainTraceFile = `[
{"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"solver"}},
{"ph":"M","name":"thread_name","pid":7,"tid":"8","args":{"name":"worker"}},
{"ph":"B","name":"main","cat":"app","pid":7,"tid":7,"ts":1000},
{"ph":"X","name":"solve","cat":"app","pid":7,"tid":7,"ts":1010.5,"dur":20.25,"args":{"file":"src/solve.cpp","line":42}},
{"ph":"X","name":"MPI_Wait","cat":"mpi","pid":7,"tid":7,"ts":1012,"dur":3},
{"ph":"E","name":"main","pid":7,"tid":7,"ts":1100},
{"ph":"X","name":"work \\"quoted\\" \\u00e9\\ud83d\\ude00","cat":"app","pid":7,"tid":"8","ts":"1020","dur":"10"},
{"ph":"b","name":"load","cat":"io","id":"0x1","pid":7,"tid":7,"ts":1005},
{"ph":"n","name":"first byte","cat":"io","id":"0x1","pid":7,"tid":8,"ts":1007},
{"ph":"e","name":"load","cat":"io","id":"0x1","pid":7,"tid":8,"ts":1009},
{"ph":"s","name":"hand over","cat":"flow","id":5,"pid":7,"tid":7,"ts":1011},
{"ph":"f","name":"hand over","cat":"flow","id":5,"bp":"e","pid":7,"tid":"8","ts":1021},
{"ph":"C","name":"memory","pid":7,"tid":7,"ts":1030,"args":{"heap":10,"stack":2.5}},
{"ph":"C","name":"memory","pid":7,"tid":7,"ts":1040,"args":{"heap":12,"stack":2.5}},
{"ph":"i","name":"checkpoint","cat":"app","s":"t","pid":7,"tid":7,"ts":1050}
]
`;

/** A trace of Kineto's: operators with call stacks, a runtime call, a kernel and a transfer. */
export const kinetoFile = `{
"schemaVersion": 1,
"deviceProperties": [{"id": 0, "name": "Tesla", "totalGlobalMem": 1024}],
"distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 2},
"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 10, "tid": 10, "ts": 1700000000000000.250, "dur": 100,
 "args": {"External id": 1, "Call stack": "net.py(12): forward;main.py(3): <module>"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::convolution", "pid": 10, "tid": 10, "ts": 1700000000000010.250, "dur": 50,
 "args": {"External id": 2, "Call stack": "net.py(12): forward;main.py(3): <module>"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 10, "tid": 10, "ts": 1700000000000020.250, "dur": 5,
 "args": {"correlation": 77}},
{"ph": "X", "cat": "kernel", "name": "conv_kernel", "pid": 0, "tid": 7, "ts": 1700000000000030.250, "dur": 40,
 "args": {"device": 0, "stream": 7, "correlation": 77, "grid": [1, 2, 3]}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 1700000000000080.250, "dur": 8,
 "args": {"device": 0, "stream": 7, "correlation": 78, "bytes": 4096, "memory bandwidth (GB/s)": 0.512}},
{"ph": "M", "name": "process_name", "pid": 10, "tid": 0, "ts": 1700000000000000, "args": {"name": "python"}}
],
"traceName": "small"
}`;

/** Samples beside the events, their frames behind both. */
export const sampledFile = `{
"traceEvents": [{"ph":"M","name":"thread_name","pid":1,"tid":"2","ts":"100","args":{"name":"js"}}],
"samples": [
{"cpu":"-1","name":"","ts":"100","pid":1,"tid":"2","weight":"1","sf":1},
{"cpu":"-1","name":"","ts":"130","pid":1,"tid":"2","weight":"1","sf":2},
{"cpu":"-1","name":"","ts":"150","pid":1,"tid":"2","weight":"1","sf":1}
],
"stackFrames": {
"1": {"name":"[root]","category":"root"},
"2": {"name":"paint(app.js:10:3)","category":"JavaScript","parent":1}
}
}`;
