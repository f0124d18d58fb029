import { describe, expect, it } from "vitest";
import { isToldApartBy, type RunColumn } from "../../../src/model/runColumns";

const numbers = (name: string, ...values: number[]): RunColumn => ({ name, kind: "number", values: Float64Array.from(values) }); // prettier-ignore
const texts = (name: string, ...values: (string | null)[]): RunColumn => ({ name, kind: "text", values });

describe("columns that runs are told apart by at first", () => {
  it("have at least two values", () => {
    expect(isToldApartBy(numbers("ranks", 4, 4, 4))).toBe(false);
    expect(isToldApartBy(numbers("ranks", 4, NaN, 4))).toBe(false);
    expect(isToldApartBy(numbers("ranks", 1, 2, 4))).toBe(true);
    expect(isToldApartBy(texts("variant", "CUDA", "Seq", "Seq"))).toBe(true);
    expect(isToldApartBy(texts("variant", "Seq", null, "Seq"))).toBe(false);
    expect(isToldApartBy(numbers("total", 1.5, 2.5, 3.5))).toBe(true);
  });

  it("are no paths", () => {
    expect(isToldApartBy(texts("executable", "/usr/bin/a", "/usr/bin/b", "/usr/bin/b"))).toBe(false);
    expect(isToldApartBy(texts("input", "C:\\a\\b.in", "c.in", "c.in"))).toBe(false);
    expect(isToldApartBy(texts("input", "data/sets/a", "data/sets/b", "data/sets/b"))).toBe(false);
    expect(isToldApartBy(texts("backend", "MPI/CUDA", "MPI", "MPI"))).toBe(true);
  });

  it("are no times of day", () => {
    expect(isToldApartBy(texts("built", "12:30:01", "12:31:07", "12:31:07"))).toBe(false);
    expect(isToldApartBy(texts("when", "Fri Mar 3 10:15:00 2023", "Fri Mar 3 10:15:00 2023", "Sat Mar 4 9:00:00 2023"))).toBe(false); // prettier-ignore
    expect(isToldApartBy(numbers("launchdate", 1677871800, 1677871900, 1677871900))).toBe(false);
    expect(isToldApartBy(numbers("launchDate", 1677871800, 1677871900, 1677871900))).toBe(false);
    // As Caliper writes them, and others.
    for (const name of ["starttime.sec", "starttime.nsec", "launch time", "startTime", "submit_time", "end.seconds"])
      expect(isToldApartBy(numbers(name, 265732088, 265732090, 265732090))).toBe(false);
    expect(isToldApartBy(numbers("wall clock", 1677871800, 1677871900, 1677871900))).toBe(false);
    expect(isToldApartBy(numbers("clock_ms", 1677871800123, 1677871900123, 1677871900123))).toBe(false);
    expect(isToldApartBy(numbers("clock MHz", 2400, 3200, 3200))).toBe(true);
    expect(isToldApartBy(numbers("problem size", 2 ** 30, 2 ** 31, 2 ** 31))).toBe(true);
    expect(isToldApartBy(numbers("timesteps", 100, 200, 200))).toBe(true);
    expect(isToldApartBy(numbers("candidates", 3, 5, 5))).toBe(true);
  });

  it("are no names of single runs", () => {
    expect(isToldApartBy(texts("host", "n1", "n2", "n3"))).toBe(false);
    expect(isToldApartBy(texts("host", "n1", "n2", "n2"))).toBe(true);
    expect(isToldApartBy(numbers("job_id", 11, 12, 13))).toBe(false);
    expect(isToldApartBy(numbers("grid", 11, 12, 13))).toBe(true);
  });
});
