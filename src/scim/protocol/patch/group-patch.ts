import type { Filter } from '../filter/filter';
import { type GroupPart, groupParts, readDisplayName, readExternalId, requireWhole } from '../values/group-body';
import { isObject } from '../../../http/requests/json-object';
import { shorten } from '../values/json-object';
import { readMemberIds, requireMemberId } from '../values/member-ids';
import { findTarget, type Target } from '../values/target';
import { isSameName } from '../schema/attribute-path';
import { GROUP_TYPE } from '../schema/group-schema';
import { ScimError } from '../scim-error';
import { GroupPlan, type GroupStep } from './group-plan';
import { inOperation, type PatchOperation, readOperations } from './patch-operations';

export type { GroupStep } from './group-plan';

/**
 * Plans what a PATCH does to a group (RFC 7644, section 3.5.2), without reading the group, which may have many members.
 * The steps have the same effect as the operations one by one, but are as few as possible (see GroupPlan), since some
 * clients send an operation for each member.
 *
 * Members are identified by `members[value eq "id"]`, by a list (Entra ID also uses one for removal), or by any other
 * filter on members; a removal of `members` without any clears the group, and one with an empty list removes nobody.
 *
 * @param body of a PATCH of `/Groups/{id}`
 * @param ignored collects the names of attributes that are not in any schema
 * @throws ScimError `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `noTarget`, `mutability`,
 *   `tooMany`
 */
export function planGroupPatch(body: unknown, ignored: Set<string>): GroupStep[] {
  const plan = new GroupPlan();
  readOperations(body, ignored).forEach((operation, index) =>
    inOperation(index, () => addOperation(plan, operation, ignored)),
  );
  return plan.steps();
}

function addOperation(plan: GroupPlan, { op, path, value }: PatchOperation, ignored: Set<string>): void {
  const target = path === undefined ? undefined : findTarget(GROUP_TYPE, path);
  if (path !== undefined && !target) {
    throw new ScimError('invalidPath', `No attribute has the path "${shorten(path)}".`);
  }
  if (op === 'remove') {
    // readOperations rejects removals without a path.
    if (target) remove(plan, target, value, ignored);
  } else if (!target || target.kind === 'schema') {
    if (!isObject(value))
      throw new ScimError('invalidValue', 'Without the path of an attribute, the value must be an object.');
    for (const part of groupParts(value, ignored)) set(plan, op, part, ignored);
  } else if (target.kind === 'unwritable') {
    if (target.why === 'readOnly') throw new ScimError('mutability', `${target.where} cannot be changed.`);
  } else {
    set(plan, op, { target: requireWhole(target), json: value }, ignored);
  }
}

function set(plan: GroupPlan, op: 'add' | 'replace', part: GroupPart, ignored: Set<string>): void {
  if (part.target.where === 'displayName') plan.set({ displayName: readDisplayName(part) });
  else if (part.target.where === 'externalId') plan.set({ externalId: readExternalId(part) });
  else if (op === 'add') plan.add(readMemberIds(part.json, ignored));
  else plan.replace(readMemberIds(part.json, ignored));
}

function remove(plan: GroupPlan, target: Target, value: unknown, ignored: Set<string>): void {
  if (target.kind === 'unwritable' && target.why === 'secret') return;
  if (target.kind === 'schema' || target.kind === 'unwritable') {
    throw new ScimError(
      'mutability',
      `${target.kind === 'schema' ? target.schema.id : target.where} cannot be removed.`,
    );
  }
  if (target.kind === 'values') {
    if (target.sub) requireWhole(target);
    const ids = idsOf(target.filter);
    return ids ? plan.remove(ids) : plan.removeMatching(target.filter);
  }
  const { where } = requireWhole(target);
  if (where === 'displayName') throw new ScimError('mutability', 'displayName cannot be removed.');
  if (where === 'externalId') plan.set({ externalId: null });
  else if (value === undefined || value === null) plan.replace([]);
  else plan.remove(readMemberIds(value, ignored));
}

/** @returns the members that `value eq "…"`, alone or joined by `or`, identifies; undefined for any other filter */
function idsOf(filter: Filter): string[] | undefined {
  const ids: string[] = [];
  for (const test of filter.kind === 'or' ? filter.filters : [filter]) {
    const isId = test.kind === 'compare' && test.operator === 'eq' && isSameName(test.path, 'value');
    if (!isId || typeof test.value !== 'string') return undefined;
    ids.push(requireMemberId(test.value));
  }
  return ids;
}
