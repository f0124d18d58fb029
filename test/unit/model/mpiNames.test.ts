import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventKinds, kindOfEvent } from "../../../src/model/eventKinds";
import {
  isBlockingReceive,
  isBlockingSend,
  isCollective,
  isMpiCall,
  isMpiFileCall,
  isMpiSymbol,
  isNamedAsMpi,
  isReceiver,
  mpiFunction,
} from "../../../src/model/mpiNames";

/** What the standard says of some functions: collective, receives or waits, receives at once, sends and may block. */
const FUNCTIONS: Readonly<Record<string, readonly [boolean, boolean, boolean, boolean]>> = {
  MPI_Send: [false, false, false, true],
  MPI_Ssend: [false, false, false, true],
  MPI_Rsend: [false, false, false, true],
  MPI_Isend: [false, false, false, false],
  MPI_Bsend: [false, false, false, false],
  MPI_Recv: [false, true, true, false],
  MPI_Mrecv: [false, true, true, false],
  MPI_Irecv: [false, false, false, false],
  MPI_Sendrecv: [false, true, true, false],
  MPI_Sendrecv_replace: [false, true, true, false],
  MPI_Waitall: [false, true, false, false],
  MPI_Testsome: [false, true, false, false],
  MPI_Barrier: [true, false, false, false],
  MPI_Allreduce: [true, false, false, false],
  MPI_Iallreduce: [false, false, false, false],
  MPI_Reduce_scatter_block: [true, false, false, false],
  MPI_Neighbor_alltoallw: [true, false, false, false],
  MPI_Comm_rank: [false, false, false, false],
  MPI_Finalize: [true, false, false, false],
};

/** A name as C, Fortran and their compilers write it, with what versions of the standard put behind it. */
function variants(name: string): string[] {
  const standard = ["", "_c", "_f08", "_f08ts", "_c_f08", "_c_f08ts"].map((suffix) => `${name}${suffix}`);
  const compiled = standard.flatMap((one) => ["", "_", "__"].map((end) => `${one.toLowerCase()}${end}`));
  const fortran = standard.flatMap((one) => [one.toUpperCase(), `${one.toUpperCase()}_`]);
  return [...standard, ...compiled, ...fortran].flatMap((one) => [one, `${one.startsWith("m") ? "p" : "P"}${one}`]);
}

describe("names of MPI functions", () => {
  it.each(Object.entries(FUNCTIONS))("are %s in all variants", (name, kinds) => {
    for (const one of variants(name)) {
      expect(mpiFunction(one), one).toBe(name.slice("MPI_".length).toLowerCase());
      expect([isCollective(one), isReceiver(one), isBlockingReceive(one), isBlockingSend(one)], one).toEqual(kinds);
      expect([isMpiCall(one), isNamedAsMpi(one)], one).toEqual([true, true]);
      expect(eventKinds[kindOfEvent({ name: "", kind: "other" }, one, new Map())], one).toBe("communication");
    }
  });

  it("are of files, which are I/O", () => {
    for (const one of variants("MPI_File_write_at_all")) {
      expect(isMpiFileCall(one), one).toBe(true);
      expect(eventKinds[kindOfEvent({ name: "", kind: "communication" }, one, new Map())], one).toBe("I/O");
    }
  });

  it("are no names that merely look alike", () => {
    const others = [
      "MPI_phase",
      "MPI_",
      "mpi_exchange",
      "my_MPI_Send",
      "MPI_Send(int)",
      "mpisend_",
      "Mpi_Send",
      "MPI",
      "",
    ];
    for (const one of others) {
      expect(mpiFunction(one), one).toBeUndefined();
      expect([isCollective(one), isReceiver(one), isBlockingReceive(one), isBlockingSend(one)], one).toEqual([
        false,
        false,
        false,
        false,
      ]);
    }
    // A phase is counted as MPI by its name, and waits for nobody.
    expect([isNamedAsMpi("MPI_phase"), isNamedAsMpi("mpi_exchange")]).toEqual([true, false]);
    // What a program itself may have called so is linked to its own definition.
    expect(["mpi_init", "mpi_init_", "MPI_Init", "PMPI_INIT"].map(isMpiSymbol)).toEqual([false, true, true, true]);
  });

  it("are of one kind at most, but that a blocking receive receives", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(FUNCTIONS).flatMap(variants)), fc.string(), (name, more) => {
        const one = `${name}${more}`;
        if (isBlockingReceive(one)) expect(isReceiver(one)).toBe(true);
        expect([isCollective(one), isReceiver(one), isBlockingSend(one)].filter(Boolean).length).toBeLessThan(2);
      }),
    );
  });
});
