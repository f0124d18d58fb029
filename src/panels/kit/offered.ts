/** What a page may choose: what comes from it is looked at before it is used. Pure. */
import type { Control } from "../../protocol/frame";
import type { FromEveryPage } from "../../protocol/panel";
import type { PanelDefinition, View } from "./definition";

/** A choice as {@link PanelDefinition.choose} takes it. */
interface Choice {
  readonly id: string;
  readonly value: string;
}

/** @returns undefined where the panel does not offer that now */
export function offeredChoice<State extends object, Shown>(
  { controls, steps }: Pick<PanelDefinition<State, Shown, unknown, unknown>, "controls" | "steps">,
  view: View<State>,
  shown: Shown | undefined,
  message: Extract<FromEveryPage, { readonly type: "control" | "step" | "remove-step" }>,
): Choice | undefined {
  const { type, id } = message;
  switch (type) {
    case "control": {
      const control = controls(view, shown).find((one) => one.id === id);
      return control && canBe(control, message.value) ? { id, value: message.value } : undefined;
    }
    case "step":
    case "remove-step": {
      const step = steps?.(view, shown).find((one) => one.id === id);
      return step && (type === "step" || step.removable) ? { id: type, value: id } : undefined;
    }
  }
}

/** What a record has under a name that came from a page; nothing that every object has. */
export function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Whether a control offers a value. */
function canBe(control: Control, value: string): boolean {
  switch (control.kind) {
    case "select":
    case "curve":
      return control.choices.some((choice) => choice.value === value && choice.disabled === undefined);
    case "threshold":
      return value !== "" && Number(value) >= 0 && Number(value) <= 100;
    case "tool": {
      const { disabled, menu } = control;
      const isOffered = menu?.some((choice) => choice.value === value && choice.disabled === undefined) !== false;
      return disabled === undefined && isOffered;
    }
  }
}
