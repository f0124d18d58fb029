import { describe, expect, it } from "vitest";
import { ownName } from "../../../../../src/formats/caliper/names/calledFunctions";
import { attributeOf } from "../../../../../src/formats/caliper/scan/jsonTables";
import { parseMetricName } from "../../../../../src/formats/caliper/names/metricNames";
import { mayBeQuantity } from "../../../../../src/formats/caliper/names/quantities";

describe("names of aggregated quantities", () => {
  it.each([
    ["time.duration.ns", "time.duration.ns", "sum", false],
    ["sum#sum#time.duration", "time.duration", "sum", false],
    ["min#inclusive#sum#time.duration", "time.duration", "minimum", true],
    ["sum#min#x", "x", "minimum", false],
    ["max#sum#x", "x", "maximum", false],
    ["avg#x", "x", "average", false],
    ["any#any#max#BlockSize", "BlockSize", "any", false],
    ["iscale#x", "x", "sum", true],
    ["time.inclusive.duration.ns", "time.duration.ns", "sum", true],
    ["time (inc)", "time", "sum", true],
    ["avg.count#sum#x", "x", "helper", false],
    ["min#min#aggregate.slot", "aggregate.slot", "helper", false],
    ["scount#0.001000", "scount#0.001000", "helper", false],
    ["percent_total#x", "x", "share", false],
    ["ratio#a/b", "ratio#a/b", "ratio", false],
    ["sum#iratio#a/b", "iratio#a/b", "ratio", true],
    ["max#iratio#a/b", "iratio#a/b", "maximum", true],
    ["avg#ratio#a/b", "ratio#a/b", "ratio", false],
    ["imax#x", "x", "maximum", true],
    ["sum#imin#x", "x", "minimum", true],
    ["max#imax#x", "x", "maximum", true],
    ["avg#imax#x", "x", "ratio", true],
    ["avg#avg#x", "x", "average", false],
    ["avg#inclusive#sum#x", "x", "average", true],
    ["ipercent_total#sum#x", "x", "share", true],
    ["avg#percent_total#x", "x", "share", false],
    ["variance#inclusive#sum#x", "x", "ratio", true],
    ["sum#variance#x", "x", "ratio", false],
    ["var.sqsum#x", "x", "helper", false],
    ["isr.sum#x", "x", "helper", false],
    ["ipct.sum#sum#x", "x", "helper", false],
    ["iscsum#x", "x", "helper", false],
    ["topdown.retiring", "topdown.retiring", "share", false],
    ["topdown.heavy_ops", "topdown.heavy_ops", "share", false],
    ["avg#topdown.retiring", "topdown.retiring", "share", false],
    ["sum#avg#topdown.be_bound", "topdown.be_bound", "share", false],
    ["min#topdown.retiring", "topdown.retiring", "minimum", false],
    ["max#max#topdown.retiring", "topdown.retiring", "maximum", false],
    ["topdown.slots", "topdown.slots", "sum", false],
    ["sum#topdown.retiring.slots", "topdown.retiring.slots", "sum", false],
    ["avg#topdown.bad_spec.slots", "topdown.bad_spec.slots", "average", false],
    ["histogram.bin.3#x", "histogram.bin.3#x", "sum", false],
    ["odd#x", "odd#x", "ratio", false],
    ["sum#odd#x", "odd#x", "ratio", false],
    ["avg#odd#x", "odd#x", "ratio", false],
    ["max#odd#x", "odd#x", "maximum", false],
    ["#Threads", "#Threads", "maximum", false],
    ["Time %", "Time %", "share", false],
    ["Work % (avg)", "Work % (avg)", "share", false],
    ["BE bound", "BE bound", "share", false],
    ["Read Mbit/s", "Read Mbit/s", "ratio", false],
    ["Iter/s (max)", "Iter/s (max)", "ratio", false],
    ["Total MemBW (r) (MB/s)", "Total MemBW (r) (MB/s)", "ratio", false],
    ["Variance time/rank", "Variance time/rank", "ratio", false],
    ["Min time/rank", "Min time/rank", "minimum", false],
    ["Calls/rank (max)", "Calls/rank (max)", "maximum", false],
    ["Calls (total)", "Calls (total)", "sum", false],
    ["max_error", "max_error", "sum", false],
  ])("%s is %s, %s, inclusive: %s", (name, base, role, inclusive) => {
    expect(parseMetricName(name)).toMatchObject({ base, role, inclusive });
  });

  it("of messages, iterations and points in time are no quantities", () => {
    const none = [
      "mpi.rank",
      "mpi.msg.size",
      "mpi.comm.size",
      "event.begin#region",
      "iteration#step",
      "time.offset.ns",
      "sum#aggregate.slot",
      "cali.attribute.prop",
      "omp.thread.id",
      "alloc.uid",
    ];
    expect(none.filter(mayBeQuantity)).toEqual([]);
    const some = [
      "time.duration",
      "mpi.send.count",
      "alloc.total_size",
      "PAPI_TOT_CYC",
      "loop.iterations",
      "__proto__",
    ];
    expect(some.filter(mayBeQuantity)).toEqual(some);
  });
});

/** As C, Fortran and the profiling interface call one function. */
const SENDS = [
  "MPI_Send",
  "PMPI_Send",
  "MPI_Send_c",
  "PMPI_Send_c",
  "MPI_SEND",
  "mpi_send_",
  "pmpi_send__",
  "mpi_send_f08_",
];
/** Names of a program's own functions and regions. */
const OTHERS = ["mpi_exchange", "MPI_phase", "mpi_send", "MPIsend", "MPI_", "MPI"];

describe("a region that the file does not say the attribute of", () => {
  it("is MPI's if it is named as one of its functions", () => {
    for (const name of [...SENDS, "MPIX_Comm_shrink"]) expect(attributeOf(name)).toBe("mpi.function");
    for (const name of [...OTHERS, "halo: MPI_Send", "MPI_Send 2"]) expect(attributeOf(name)).toBe("region");
  });
});

describe("a function's own name", () => {
  it.each([
    ["main", "main"],
    ["mini::physics::updateConductivity(mini::Field const&, mini::Field&)", "updateConductivity"],
    ["mini::ConjugateGradient<mini::HeatOperator>::solve(mini::Field const&)", "solve"],
    ["mini::HaloExchange::operator()(mini::Field&)", "operator()"],
    ["operator()", "operator()"],
    ["a::operator<(a::b const&, a::b const&)", "operator<"],
    ["(anonymous namespace)::work(int)", "work"],
    ["void run<int>(std::vector<int, std::allocator<int> >&)", "run"],
    ["exp@@GLIBC_2.29", "exp"],
    ["work.part.0", "work"],
    ["main._omp_fn.0", "main"],
    ["main::{lambda(int)#1}::operator()(int) const", "operator()"],
    ["mpi_exchange", "mpi_exchange"],
    ["MPI_phase", "MPI_phase"],
    ["", ""],
    ["<", "<"],
    [")))", ")))"],
  ])("of %s is %s", (name, own) => {
    expect(ownName(name)).toBe(own);
  });

  it("is one for all names of a function of MPI", () => {
    for (const name of SENDS) expect(ownName(name)).toBe(ownName("MPI_Send"));
    for (const name of [...OTHERS, "MPI_Ssend", "send"]) expect(ownName(name)).not.toBe(ownName("MPI_Send"));
  });
});
