import type { Warning } from "../../../../model/dataSet";
import { FormatError } from "../../../../model/errors";
import type { Task } from "../../../../model/task";
import type { ReadContext } from "../../../format";
import type { ProfileBuilder } from "../../../profileBuilder";
import { withFile } from "../../../reading";
import { readXml, type XmlElements } from "../../../xml";
import { Header } from "./header";
import { type Measured, type MetricPlan, planMetrics } from "../assemble/metricPlan";
import { Tree } from "./tree";

/** What `experiment.xml` says. */
export interface Experiment {
  readonly header: Header;
  readonly tree: Tree;
  readonly plan: MetricPlan;
  readonly modifiedAt: number | undefined;
  readonly warnings: readonly Warning[];
}

const DOCUMENT = { end: "</HPCToolkitExperiment>", remedy: "run hpcprof again" };
const TREE = "SecCallPathProfileData";

/**
 * Reads `experiment.xml`: first its tables, then the tree, whose contexts go into `builder`.
 *
 * @param measured which threads' values stand in other files
 */
export async function readExperiment(
  file: string,
  measured: Measured,
  builder: ProfileBuilder,
  context: ReadContext,
  task: Task,
): Promise<Experiment> {
  return withFile(context, file, async (source) => {
    let reader: Elements | undefined;
    const elements = (lineOf: () => number) => (reader = new Elements(new Header(file, lineOf), measured, builder));
    await readXml(source, DOCUMENT, elements, task);
    if (reader?.tree === undefined || reader.plan === undefined) throw noTree(file);
    const { header, tree, plan, moreTrees } = reader;
    const warnings: Warning[] =
      moreTrees === 0 ? [] : [{ message: "only the first call path profile of several in the file is read", file }];
    return { header, tree, plan, modifiedAt: source.modifiedAt, warnings };
  });
}

class Elements implements XmlElements {
  tree: Tree | undefined;
  plan: MetricPlan | undefined;
  moreTrees = 0;
  private inTree = false;

  constructor(
    readonly header: Header,
    private readonly measured: Measured,
    private readonly builder: ProfileBuilder,
  ) {}

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.inTree) this.tree?.open(name, attributes);
    else if (name !== TREE) {
      // Tables of a second profile would change what the first one's numbers mean.
      if (this.tree === undefined) this.header.open(name, attributes);
    } else if (this.tree !== undefined) this.moreTrees++;
    else {
      if (this.header.version === "") throw this.header.problem(`<${TREE}>`, "it inside <HPCToolkitExperiment>");
      this.plan = planMetrics(this.header, this.measured);
      this.tree = new Tree(this.header, this.builder, this.plan.wanted);
      this.inTree = true;
    }
  }

  close(name: string): void {
    if (!this.inTree) return;
    if (name === TREE) this.inTree = false;
    else this.tree?.close(name);
  }
}

function noTree(file: string): FormatError {
  return new FormatError({
    file,
    found: "no call path profile",
    expected: `an element <${TREE}>`,
    advice: "Flat profiles of old tools are not read: run hpcprof on the measurements.",
  });
}
