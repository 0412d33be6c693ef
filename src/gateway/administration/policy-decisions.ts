import type { CompiledBundle, ExposedDefinition } from '../compile/compiled-bundle';
import type { DefinitionKind } from '../protocol/definition-list';
import { inTurns } from '../rules/allowed';
import type { Policy } from '../rules/policy';
import { type PolicyDecisionOut, PREVIEWED_ITEMS } from './policy-preview.dto';

/** What someone may use of a bundle, and why: every tool, prompt, resource and template that it has. */
export interface PolicyDecisions {
  readonly all: readonly PolicyDecisionOut[];
  /** How many tools they may use, and how many not. */
  readonly allowedTools: number;
  readonly deniedTools: number;
}

/**
 * Decides about everything that a bundle has; other requests get turns.
 *
 * @param bundle compiled without rules
 * @param usable the entries whose listings they may see; undefined: all
 */
export async function policyDecisions(
  { tools, prompts, resources, templates }: CompiledBundle,
  policy: Policy,
  usable: ReadonlySet<string> | undefined,
): Promise<PolicyDecisions> {
  const offers = { tool: tools, prompt: prompts, resource: resources, template: templates };
  const all: PolicyDecisionOut[] = [];
  for (const kind of PREVIEWED_ITEMS)
    for await (const [name, offer] of inTurns<[string, ExposedDefinition]>(offers[kind]))
      all.push(decided(kind, name, offer));
  const ofTools = all.filter(({ kind }) => kind === 'tool');
  const allowedTools = ofTools.filter(({ is_allowed }) => is_allowed).length;
  return { all, allowedTools, deniedTools: ofTools.length - allowedTools };

  function decided(kind: DefinitionKind, name: string, offer: ExposedDefinition): PolicyDecisionOut {
    const { id: entry_id } = offer.entry;
    const item = { kind, name, entry_id, upstream_name: offer.name };
    if (usable && !usable.has(entry_id)) return { ...item, is_allowed: false, reason: 'LISTING', rule: null };
    const { isAllowed, rule } = policy.decide({ entryId: entry_id, name: offer.name, ...offer.hints });
    return { ...item, is_allowed: isAllowed, reason: rule === null ? 'DEFAULT' : 'RULE', rule };
  }
}
