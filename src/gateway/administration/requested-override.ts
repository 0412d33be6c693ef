import type { Fault } from '../../errors/errors';
import type { JsonObject } from '../protocol/json-rpc';
import type { BundleToolUpdate, ToolHintsUpdate } from './bundle-tool.dto';
import { argumentFaults } from '../rules/fixed-arguments';
import type { ToolKind } from '../rules/tool-kinds';
import { STRICTER_HINTS, type StricterHints, type ToolOverride } from '../rules/tool-override';

/** What something must be for an override of it. */
const ONLY_OF: Readonly<Record<'name' | 'annotations' | 'fixed_arguments', readonly ToolKind[]>> = {
  name: ['tool', 'prompt'],
  annotations: ['tool'],
  fixed_arguments: ['tool'],
};

/** @returns the override after a request: what is absent stays, what is null is as the server has it again */
export function requestedOverride(before: ToolOverride, input: BundleToolUpdate): ToolOverride {
  const { is_enabled, name, title, description, annotations, fixed_arguments } = input;
  return {
    isEnabled: is_enabled ?? before.isEnabled,
    exposedName: name === undefined ? before.exposedName : name,
    title: title === undefined ? before.title : title,
    description: description === undefined ? before.description : description,
    annotations: annotations === undefined ? before.annotations : hintsIn(annotations),
    fixedArguments: fixed_arguments === undefined ? before.fixedArguments : orNull(fixed_arguments),
  };
}

/**
 * What is wrong with a request, besides names that others have.
 *
 * @param definition what the override is about; undefined: it is not known
 * @param budget how long names may be
 */
export function overrideFaults(
  kind: ToolKind,
  input: BundleToolUpdate,
  definition: JsonObject | undefined,
  budget: number,
): Fault[] {
  const faults: Fault[] = [];
  for (const field of ['name', 'annotations', 'fixed_arguments'] as const)
    if (input[field] != null && !ONLY_OF[field].includes(kind)) faults.push(fault([field], `A ${kind} has none.`));
  if (faults.length > 0) return faults;
  if (input.name != null && input.name.length > budget)
    faults.push(fault(['name'], `Must have at most ${budget} characters (name_budget).`));
  for (const [hint, stricter] of Object.entries(STRICTER_HINTS)) {
    const wanted = input.annotations?.[hint as keyof typeof STRICTER_HINTS];
    if (wanted != null && wanted !== stricter)
      faults.push(fault(['annotations', hint], `Must be ${stricter} or null: it can only be made stricter.`));
  }
  if (input.fixed_arguments != null)
    for (const { name, msg } of argumentFaults(definition?.inputSchema, input.fixed_arguments))
      faults.push(fault(['fixed_arguments', name], msg));
  return faults;
}

function hintsIn(annotations: ToolHintsUpdate | null): StricterHints | null {
  if (annotations === null) return null;
  const hints = Object.keys(STRICTER_HINTS).flatMap((hint) => {
    const value = annotations[hint as keyof typeof STRICTER_HINTS];
    return value == null ? [] : [[hint, value] as const];
  });
  return orNull(Object.fromEntries(hints));
}

function orNull<T extends object>(values: T | null): T | null {
  return values === null || Object.keys(values).length === 0 ? null : values;
}

function fault(loc: string[], msg: string): Fault {
  return { loc: ['body', ...loc], msg, type: 'value_error' };
}
