import { describe, expect, it } from "vitest";
import path from "node:path";
import type { Frame } from "../../../src/model/frames";
import type { SourceLink } from "../../../src/model/sourceLinks";
import { fortranNames } from "../../../src/source/fortranNames";
import type { FileSymbol } from "../../../src/source/symbols";
import type { SymbolIndex } from "../../../src/source/symbolIndex";
import { folderWith, indexOf, lineOf } from "./program";
import { linksOf, shown } from "./tree";

const solver = `module Solver
  implicit none
contains
  subroutine Step(field, n)   ! one step
    real(8), intent(inout) :: field(n)
    integer, intent(in) :: n
    call cali_begin_region('smooth')
    call smooth(field, &
                n)
    call cali_end_region('smooth')
    ! call not_this(field)
    call MPI_Allreduce(field, field, n, 0, 0, 0)
    if (norm(field) > 0) call Report('a!b', n)
  end subroutine Step
  subroutine smooth(field, n)
    real(8) :: field(n)
    integer :: n
  end subroutine smooth
  real(8) function norm(field)
    real(8) :: field(:)
    norm = sum(field)
  end function norm
end module Solver
`;
const main = `program heat
  use Solver
  real(8) :: field(10)
  call step(field, 10)
end program heat
subroutine report(text, n)
end subroutine report
`;
const files = { "src/solver.f90": solver, "src/main.F90": main };

/** What a language server says: as fortls does, a program is a module, names are as written. */
function symbolsOf(text: string): FileSymbol[] {
  const lines = text.split("\n");
  const found: FileSymbol[] = [];
  const within: string[] = [];
  lines.forEach((line, at) => {
    const head = /^\s*(?:real\(8\) )?(module|program|subroutine|function) (\w+)/i.exec(line);
    const ends = /^\s*end (?:module|program|subroutine|function)/i.test(line);
    if (ends) within.pop();
    if (head === null || ends) return;
    const to =
      lines.findIndex((other, row) => row > at && new RegExp(`^\\s*end ${head[1]} ${head[2]}`, "i").test(other)) + 1;
    const kind = /module|program/i.test(head[1]) ? "namespace" : "function";
    found.push({ name: head[2], kind, line: at + 1, from: at + 1, to, within: [...within] });
    within.push(head[2]);
  });
  return found;
}

async function served(index: SymbolIndex, folder: string): Promise<void> {
  const texts: Record<string, string> = files;
  index.setSymbols(
    index.symbols.take().map((file) => ({ file, symbols: symbolsOf(texts[path.relative(folder, file)]) })),
  );
}

/** Links until nothing more is wanted, as a window does. */
async function linksServed(
  paths: readonly (readonly (string | Frame)[])[],
): Promise<{ links: string[]; found: SourceLink[] }> {
  const folder = folderWith(files);
  const index = await indexOf(folder);
  let found = await linksOf(index, paths);
  for (let round = 0; round < 3; round++) {
    await served(index, folder);
    found = await linksOf(index, paths);
  }
  return { links: found.map((link) => shown(link, folder)), found };
}

const fn = (name: string): Frame => ({ name, kind: "function" });
const at = (text: string, occurrence = 1) => `src/solver.f90:${lineOf(solver, text, occurrence)}`;

describe("Fortran", () => {
  it("procedures are found by what each compiler calls them", async () => {
    const names: [string, string][] = [
      ["__solver_MOD_step", at("subroutine Step")],
      ["__solver_MOD_step._omp_fn.0", at("subroutine Step")],
      ["solver_mp_step_", at("subroutine Step")],
      ["_QMsolverPstep", at("subroutine Step")],
      ["step$solver_", at("subroutine Step")],
      ["solver_step_", at("subroutine Step")],
      ["STEP", at("subroutine Step")],
      ["step", at("subroutine Step")],
      ["__solver_MOD_norm", at("function norm")],
      ["report_", "src/main.F90:6"],
      ["_QPreport", "src/main.F90:6"],
      ["MAIN__", "src/main.F90:1"],
      ["__other_MOD_step", "?"],
      ["step_of", "?"],
    ];
    const { links } = await linksServed(names.map(([name]) => [fn(name)]));
    expect(names.map(([name], row) => [name, links[row]])).toEqual(names);
  });

  it("regions and calls inside procedures are found", async () => {
    const paths: [(string | Frame)[], string][] = [
      [["smooth"], at("cali_begin_region")],
      [["step"], at("subroutine Step")],
      [["step", "smooth"], at("cali_begin_region")],
      [["step", "MPI_Allreduce"], at("MPI_Allreduce")],
      [[fn("__solver_MOD_step"), fn("MPI_Allreduce")], at("MPI_Allreduce")],
    ];
    const { links } = await linksServed(paths.map(([names]) => names));
    expect(links).toEqual(paths.map(([, place]) => place));
  });

  it("without a language server no line is made up, and it is said why", async () => {
    const folder = folderWith(files);
    const index = await indexOf(folder);
    const [before] = await linksOf(index, [[fn("__solver_MOD_step")]]);
    expect(before.places).toEqual([]);
    expect(before.reason).toContain("no language server gives symbols of Fortran files");
    // Only the file that holds both names is wanted, and once.
    expect(index.symbols.take()).toEqual(["src/main.F90", "src/solver.f90"].map((name) => path.join(folder, name)));
    expect(index.symbols.take()).toEqual([]);
    index.symbols.serve(() => undefined);
    expect((await linksOf(index, [[fn("__solver_MOD_norm")]]))[0].reason).toContain(
      "symbols of Fortran files are being asked for",
    );
    index.setSymbols([{ file: path.join(folder, "src/solver.f90"), symbols: undefined }]);
    expect((await linksOf(index, [[fn("__solver_MOD_norm")]]))[0].reason).toContain(
      "no language server gives symbols of Fortran files",
    );
  });
});

describe("names of Fortran compilers", () => {
  it.each([
    ["__heat_solver_MOD_apply_stencil", "heat_solver", "apply_stencil"],
    ["heat_solver_mp_apply_stencil_", "heat_solver", "apply_stencil"],
    ["HEAT_mp_APPLY", "heat", "apply"],
    ["_QMheatPapply", "heat", "apply"],
    ["_QMheatFouterPinner", "heat", "inner"],
    ["apply$heat_", "heat", "apply"],
  ])("%s", (symbol, module, name) => {
    expect(fortranNames(symbol)[0]).toEqual({ module, name });
  });

  it("are not seen in names of other languages", () => {
    for (const name of ["mini::axpy(double)", "operator()", "", "a b", "<unknown>"])
      expect(fortranNames(name)).toEqual([]);
  });
});

describe("other languages", () => {
  it("are served in the same way", async () => {
    const text = "pub struct Solver;\nimpl Run for Solver {\n    fn step(&self) {\n    }\n}\nfn step() {}\n";
    const folder = folderWith({
      "src/solver.rs": text,
      "Cargo.toml": '[package]\nname = "mycrate"\n',
      "go/solver.go": "package main\nfunc (s *Solver) Advance() {}\n",
    });
    const index = await indexOf(folder);
    const paths = [
      [fn("_RNvXs_NtCs1234_7mycrate6solverNtB4_6SolverNtB4_3Run4step")],
      [fn("<mycrate::solver::Solver as mycrate::Run>::step")],
      [fn("main.(*Solver).Advance")],
      [fn("other::solver::Solver::step")],
    ];
    expect((await linksOf(index, paths))[0].reason).toContain("Rust files");
    const of = (name: string, symbols: FileSymbol[]) => ({ file: path.join(folder, name), symbols });
    index.setSymbols([
      of("src/solver.rs", [
        { name: "Solver", kind: "class", line: 1, from: 1, to: 1, within: [] },
        { name: "step", kind: "function", line: 3, from: 3, to: 4, within: ["impl Run for Solver"] },
        { name: "step", kind: "function", line: 6, from: 6, to: 6, within: [] },
      ]),
      of("go/solver.go", [{ name: "(*Solver).Advance", kind: "function", line: 2, from: 2, to: 2, within: [] }]),
    ]);
    expect((await linksOf(index, paths)).map((link) => shown(link, folder))).toEqual([
      "src/solver.rs:3",
      "src/solver.rs:3",
      "go/solver.go:2",
      "?",
    ]);
  });
});
