import { idOf, join, unique } from '../../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './endpoint-stage';
import type { ModernClient } from './mcp-client';
import { type Json, TestUpstream, toolOf } from './test-upstream';

export type Role = 'ORG_OWNER' | 'ORG_ADMIN' | 'ORG_MEMBER' | 'BUNDLE_OWNER' | 'BUNDLE_EDITOR' | 'OUTSIDER';
export type Access = 'ALLOW' | 'READ_ONLY' | 'DENY';

/** A rule as a request has it. */
export interface Rule {
  effect: 'ALLOW' | 'DENY';
  subject: { kind: 'everyone' | 'role' | 'group' | 'person' | 'token'; id?: string; role?: Role };
  tools?: string;
  hint?: 'read_only' | 'destructive';
  entry_id?: string;
}

export const everyone = { kind: 'everyone' as const };

/** The address of the policies of a bundle. */
export const policiesOf = ({ bundleId }: Endpoint) => `/v1/bundles/${bundleId}/policies` as const;

/**
 * Two processes, an organisation of Ada with Bob as a MEMBER, and a server with a tool that reads (`get`), one that changes
 * (`change`) and one that says nothing (`delete`).
 */
export class PolicyStage {
  private constructor(
    readonly stage: Stage,
    readonly upstream: TestUpstream,
    readonly ada: Person,
    readonly bob: Person,
    readonly orgId: string,
    readonly bobId: string,
  ) {}

  static async start(): Promise<PolicyStage> {
    const stage = await createStage(2, { env: { RUN: 'api,worker' } });
    const [ada, bob] = [await stage.person(unique('ada')), await stage.person(unique('bob'))];
    const upstream = await TestUpstream.start();
    upstream.tools = [
      toolOf('get', { annotations: { readOnlyHint: true } }),
      toolOf('change', { annotations: { destructiveHint: false } }),
      toolOf('delete'),
    ];
    const orgId = (await ada.api.post('/v1/organisations', { name: unique('Org'), slug: unique('org') })).body.id;
    const bobId = await join(ada.api, orgId, bob.api);
    return new PolicyStage(stage, upstream, ada, bob, orgId, bobId);
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.upstream.close();
  }

  /** A bundle of the organisation with the server. */
  opened(settings: Json = {}): Promise<Endpoint> {
    return this.ada.endpoint([this.upstream.url], settings, { org_id: this.orgId });
  }

  /** Another member of the organisation. */
  async member(role: 'MEMBER' | 'ADMIN' = 'MEMBER'): Promise<{ person: Person; id: string }> {
    const person = await this.stage.person();
    await join(this.ada.api, this.orgId, person.api, role);
    return { person, id: await idOf(person.api) };
  }

  /** Makes these the rules of a bundle. */
  async put(endpoint: Endpoint, rules: Rule[], default_access?: Access) {
    const body = { rules, ...(default_access && { default_access }) };
    return (await this.ada.api.put(policiesOf(endpoint), body, 200)).body;
  }
}

/** The tools that a client is shown, by their names at the server. */
export async function namesOf(client: ModernClient): Promise<string[]> {
  return (await client.all('tools/list', 'tools')).map(({ name }) => String(name).replace(/^.*__/, ''));
}

/** The same as each process answers, one after the other. */
export async function everywhere(client: ModernClient): Promise<string[][]> {
  const lists: string[][] = [];
  for (const _ of client.urls) lists.push(await namesOf(client));
  return lists;
}
