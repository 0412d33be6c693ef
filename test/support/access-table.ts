import type { Api } from './api';
import type { TestApp } from './app';

/** Who calls; the last one calls for a thing of their own, all others for a thing of the organisation. */
export const ACTORS = [
  'nobody',
  'an outsider',
  'a MEMBER',
  'an ADMIN',
  'an OWNER',
  'the person to whom it belongs',
] as const;
export type Actor = (typeof ACTORS)[number];

/** Who owns the thing that is called for: an organisation, in the name of its OWNER, or a person. */
export interface Side {
  test: TestApp;
  api: Api;
  orgId: string | undefined;
}

/** What a call needs besides the operation. */
export interface Ingredients {
  path?: Record<string, string>;
  query?: string;
  body?: object;
}

/** Makes a fresh thing for every call: some of them delete it. */
export type Recipe = (side: Side) => Ingredients | Promise<Ingredients>;

/** The expected status for each actor, in their order; null where no such thing belongs to a person. */
export type Row = readonly [operation: string, statuses: readonly (number | null)[], recipe: Recipe];

export const nothing: Recipe = () => ({});

export const ofOrganisation: Recipe = ({ orgId }) => ({ query: orgId === undefined ? '' : `?org_id=${orgId}` });

/** The same things with a body. */
export const given =
  (recipe: Recipe, body: (side: Side) => object): Recipe =>
  async (side) => ({ ...(await recipe(side)), body: body(side) });
