import { describe, expect, it } from "vitest";
import { PrintedTail } from "../../../src/traced/printedCause";

function causeOf(text: string, hasFailed = true): string | undefined {
  const tail = new PrintedTail();
  // In pieces, as terminals give it.
  for (let at = 0; at < text.length; at += 7) tail.add(Buffer.from(text.slice(at, at + 7)));
  return tail.cause(hasFailed);
}

const AS_ROOT = `--------------------------------------------------------------------------
mpirun has detected an attempt to run as root.

You can override this protection by adding the --allow-run-as-root option
to the cmd line or by setting two environment variables in the following way:
--------------------------------------------------------------------------
[ perf record: Woken up 1 times to write data ]
[ perf record: Captured and wrote 0.010 MB perf.data (7 samples) ]
`;

describe("why a run failed", () => {
  it("is known of launchers, with what to do", () => {
    expect(causeOf(AS_ROOT)).toContain("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM");
    const slots = "There are not enough slots available in the system to satisfy the 64\nslots that were requested";
    expect(causeOf(slots)).toContain("--oversubscribe");
  });

  it.each([
    [
      "reading world.png\nerror: cannot open picture world.png\nusage: render PICTURE\n",
      "error: cannot open picture world.png",
    ],
    [
      "\u001b[31mterminate called after throwing 'bad file'\u001b[0m\r\n  what():  no such picture\n",
      "what():  no such picture",
    ],
    ["==12== Callgrind\nusage: render PICTURE\n==12== Collected : 7\n", "usage: render PICTURE"],
    [
      "rank 1: file out/a:b.vtk could not be written\nPrimary job  terminated normally, but 1 process returned\na non-zero exit code. Per user-direction, the job has been aborted.\n",
      "rank 1: file out/a:b.vtk could not be written",
    ],
    ["step 1\nstep 2\nSegmentation fault\n", "Segmentation fault"],
  ])("is what it printed: %j", (text, line) => expect(causeOf(text)).toBe(`It printed: ${line}`));

  it("is not known if nothing was printed, or nothing wrong by a program that ended well", () => {
    expect(causeOf("")).toBeUndefined();
    expect(causeOf("[ perf record: Woken up 1 times to write data ]\n")).toBeUndefined();
    expect(causeOf("step 1\nstep 2\n", false)).toBeUndefined();
    expect(causeOf("step 1\nheatflow: cannot write /x/y.json\nstep 2\n", false)).toContain("/x/y.json");
  });

  it("is no link that a message would follow, and has no invisible characters", () => {
    expect(causeOf("error: [details](command:workbench.action.quit) \u202e\n")).toBe(
      "It printed: error: [details] (command:workbench.action.quit) \\u202e",
    );
  });

  it("has a limited length, however much was printed", () => {
    expect(causeOf(`${"x".repeat(100_000)} failed\n`)?.length).toBeLessThan(400);
  });
});
