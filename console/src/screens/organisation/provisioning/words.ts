import type { ScimLogEntry } from '../../../api/schema';
import { provisioning } from '../../../messages/en/organisation-provisioning';
import { providerSteps } from '../../../messages/en/organisation-provisioning-steps';
import { remedies } from '../../../messages/en/organisation-remedies';
import { translated } from '../../../messages/text';
import { callKind } from './call-kind';

export const words = translated(provisioning);
export const stepWords = translated(providerSteps);
export const remedyWords = translated(remedies);

/** @returns what a call did, or that it failed */
export function titleOfCall(call: Pick<ScimLogEntry, 'method' | 'path' | 'status'>): string {
  const { kinds, failedKinds } = words.calls;
  return (call.status >= 400 ? failedKinds : kinds)[callKind(call)];
}
