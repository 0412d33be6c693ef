import type { CompiledBundle, Offer } from '../compile/compiled-bundle';
import type { DefinitionKind } from '../upstream/definition-list';
import type { Policy } from './policy';
import { type PolicyDecisionOut, PREVIEWED_ITEMS } from './policy-preview.dto';

/** What someone may use of a bundle, and why: every tool, prompt, resource and template that it has. */
export class PolicyDecisions {
  private readonly all: readonly { kind: DefinitionKind; name: string; offer: Offer }[];

  /**
   * @param bundle compiled without rules
   * @param usable the entries whose listings they may see; undefined: all
   */
  constructor(
    { tools, prompts, resources, templates }: CompiledBundle,
    private readonly policy: Policy,
    private readonly usable: ReadonlySet<string> | undefined,
  ) {
    const offers = { tool: tools, prompt: prompts, resource: resources, template: templates };
    this.all = PREVIEWED_ITEMS.flatMap((kind) => [...offers[kind]].map(([name, offer]) => ({ kind, name, offer })));
  }

  /** How many tools they may use, and how many not. */
  get toolCounts(): { allowed: number; denied: number } {
    const tools = this.all.filter(({ kind }) => kind === 'tool');
    const allowed = tools.filter(({ offer }) => this.decide(offer).is_allowed).length;
    return { allowed, denied: tools.length - allowed };
  }

  /** @param from the place of the first, from 0 */
  slice(from: number, count: number): (PolicyDecisionOut & { place: number })[] {
    return this.all.slice(from, from + count).map(({ kind, name, offer }, index) => ({
      kind,
      name,
      entry_id: offer.entry.id,
      upstream_name: offer.name,
      ...this.decide(offer),
      place: from + index,
    }));
  }

  private decide({ entry: { id }, name, hints }: Offer): Pick<PolicyDecisionOut, 'is_allowed' | 'reason' | 'rule'> {
    if (this.usable && !this.usable.has(id)) return { is_allowed: false, reason: 'LISTING', rule: null };
    const { isAllowed, rule } = this.policy.decide({ entryId: id, name, ...hints });
    return { is_allowed: isAllowed, reason: rule === null ? 'DEFAULT' : 'RULE', rule };
  }
}
