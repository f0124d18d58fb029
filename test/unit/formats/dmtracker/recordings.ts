/** Recordings of DMTracker as the tool writes them: a trace, a table of counters, a drawing of the machine. */

export const BASE_MICROSECONDS = 1669272387721917;

const events = [
  {
    ph: "X",
    cat: "cuda_runtime",
    name: "cudaMemcpy",
    pid: 77,
    tid: 5,
    ts: BASE_MICROSECONDS,
    dur: 900,
    args: { "External id": 4, cbid: 31, correlation: 4 },
  },
  {
    ph: "X",
    cat: "gpu_memcpy",
    name: "Memcpy HtoD (Pageable -> Device)",
    pid: 0,
    tid: 7,
    ts: BASE_MICROSECONDS + 100,
    dur: 500,
    args: {
      "External id": 4,
      device: 0,
      context: 1,
      stream: 7,
      correlation: 4,
      bytes: 4096,
      "memory bandwidth (GB/s)": 8.192,
    },
  },
  {
    ph: "X",
    cat: "cuda_runtime",
    name: "cudaLaunchKernel",
    pid: 77,
    tid: 5,
    ts: BASE_MICROSECONDS + 1000,
    dur: 30,
    args: { correlation: 5 },
  },
  {
    ph: "X",
    cat: "kernel",
    name: "gemm(float*)",
    pid: 0,
    tid: 7,
    ts: BASE_MICROSECONDS + 1100,
    dur: 5000,
    args: { device: 0, context: 1, stream: 7, correlation: 5, grid: [64, 1, 1], block: [256, 1, 1] },
  },
];

export const traceJson = JSON.stringify(
  {
    schemaVersion: 1,
    deviceProperties: [
      { id: 0, name: "Big GPU", totalGlobalMem: 50962300928, numSms: 72 },
      { id: 1, name: "Small GPU", totalGlobalMem: 25394348032, numSms: 72 },
    ],
    traceEvents: events,
    traceName: "gemm/kernel-5-0-trace.json",
  },
  undefined,
  1,
);

/** Rows of time in ns after the base, temperature, watts, MB used and free, MHz. */
export function table(rows: readonly (readonly [after: bigint, ...values: number[]])[]): string {
  const header = "timestamp, temperature_gpu, power_draw_w, memory_used_mib, memory_free_mib, clocks_current_sm_mhz\n";
  const base = BigInt(BASE_MICROSECONDS) * 1000n;
  return header + rows.map(([after, ...values]) => `${[base + after, ...values].join(", ")}\n`).join("");
}

export const counters = table([
  [16447148n, 36, 29, 387, 25382, 300],
  [16447149n, 37, 29.5, 393, 25376, 1350],
  [27999815n, 41, 75, 598, 25171, 1350],
]);

const box = (type: string, id: number, x: number, y: number, width: number, height: number, ...texts: string[]) =>
  `\t<rect id='${type}_${id}_rect' class='${type}' x='${x}' y='${y}' width='${width}' height='${height}' fill='rgb(255,255,255)'/>\n` +
  texts
    .map(
      (text, line) =>
        `\t<text id='${type}_${id}_text${line > 0 ? `_${line}` : ""}' class='${type}' x='${x}'\n\ty='${y}'>${text}</text>\n`,
    )
    .join("");

/** Drawn in no order of size: the machine last. */
export const drawing =
  "<?xml version='1.0' encoding='UTF-8'?>\n<svg xmlns='http://www.w3.org/2000/svg' width='600px' height='352px'>\n" +
  box("PU", 0, 21, 227, 56, 38, "PU L#0", "P#0") +
  box("Core", 0, 14, 203, 70, 107, "Core L#0") +
  box("L3", 0, 14, 79, 291, 24, "L3 (12MB)") +
  box("GPU", 0, 350, 50, 40, 20, "opencl0d0", "9 GB") +
  box("PCI", 1, 340, 40, 60, 40, "PCI 01:00.0") +
  box("Package", 0, 7, 24, 305, 293, "Package L#0") +
  box("Machine", 0, 0, 0, 600, 352, "Machine (31GB &amp; more)") +
  "\t<text font-size='10px'>Host: node1</text>\n</svg>\n";

export const hwlocXml = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0" gp_index="1">
  <info name="HostName" value="node1"/>
  <object type="Package" os_index="0" gp_index="3">
   <object type="Core" os_index="0" gp_index="2"><object type="PU" os_index="0" gp_index="6"/><object type="PU" os_index="1" gp_index="7"/></object>
  </object>
  <object type="OSDev" gp_index="9" name="cuda0" subtype="CUDA"><info name="CUDAGlobalMemorySize" value="24800000"/></object>
 </object>
</topology>
`;
