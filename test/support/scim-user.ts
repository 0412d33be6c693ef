import { patchUser } from '../../src/scim/protocol/patch/user-patch';
import type { UserDocument } from '../../src/scim/protocol/schema/user-document';
import { ENTERPRISE_URN } from '../../src/scim/protocol/urns';
import { ScimError, type ScimFailure } from '../../src/scim/protocol/scim-error';

export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export const BARE: UserDocument = {
  userName: 'ada',
  externalId: null,
  displayName: null,
  active: true,
  attributes: {},
};

export const WORK = { value: 'ada@acme.example', type: 'work', primary: true };
export const HOME = { value: 'ada@home.example', type: 'home' };

const ENTERPRISE = { department: 'Engines', manager: { value: '1', $ref: 'https://x/Users/1' } };

export const ADA: UserDocument = {
  ...BARE,
  externalId: '7',
  displayName: 'Ada',
  attributes: {
    name: { familyName: 'Lovelace', givenName: 'Ada' },
    title: 'Analyst',
    emails: [WORK, HOME],
    [ENTERPRISE_URN]: ENTERPRISE,
  },
};

export type Operation = Record<string, unknown>;

export const replace = (path: string, value: unknown): Operation => ({ op: 'replace', path, value });
export const add = (path: string, value: unknown): Operation => ({ op: 'add', path, value });
export const remove = (path: string): Operation => ({ op: 'remove', path });
/** An operation without a path. */
export const whole = (op: string, value: unknown): Operation => ({ op, value });

export function patched(before: UserDocument, operations: unknown, ignored = new Set<string>()): UserDocument {
  return patchUser(before, { schemas: [PATCH_URN], Operations: operations }, ignored);
}

/** @returns how it fails; undefined if it does not. @throws what is no ScimError */
export function failureOf(work: () => unknown): ScimFailure | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return error.failure;
  }
}

/** What is done to a user, and what differs after it, `undefined` for what is gone. */
export type Row = [name: string, operations: Operation | Operation[], after: Record<string, unknown>];

/** The extension of ADA with changes; `undefined` for what is gone. */
export function enterprise(changes: Record<string, unknown>): Record<string, unknown> {
  return { [ENTERPRISE_URN]: present({ ...ENTERPRISE, ...changes }) };
}

/** @param changes columns and attributes side by side, as in the resource */
export function differing(before: UserDocument, changes: Record<string, unknown>): UserDocument {
  const { attributes, ...columns } = before;
  const all: Record<string, unknown> = { ...columns, ...attributes, ...changes };
  const { userName, externalId, displayName, active, ...others } = all;
  return { userName, externalId, displayName, active, attributes: present(others) } as unknown as UserDocument;
}

function present(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
