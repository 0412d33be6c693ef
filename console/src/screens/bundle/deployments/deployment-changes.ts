import type { DeploymentCreate, DeploymentKind, DeploymentStatus, DeploymentUpdate } from '../../../api/schema';
import { versionNumber } from '../version-changes';

/** A deployment as a form has it. */
export interface DeploymentDraft {
  kind: DeploymentKind;
  name: string;
  environment: string;
  /** Empty: the latest, for one that is added. */
  version: string;
  status: DeploymentStatus;
  url: string;
}

/** Operations whose answers change with a deployment. */
export const CHANGED_WITH_IT = ['GET /v1/bundles/{bundle_id}/deployments'] as const;

/** @returns what is sent to add it; an endpoint takes neither status nor address */
export function creationOf({ kind, name, environment, version, status, url }: DeploymentDraft): DeploymentCreate {
  return {
    kind,
    name,
    environment,
    ...(version.trim() !== '' && { bundle_version: Number(version) }),
    ...(kind === 'EXTERNAL' && { status, ...(url.trim() !== '' && { url: url.trim() }) }),
  };
}

/** @returns what is sent to change it: only what differs, so that what others have changed meanwhile stays */
export function updateOf(former: DeploymentDraft, draft: DeploymentDraft): DeploymentUpdate {
  const isExternal = draft.kind === 'EXTERNAL';
  return {
    ...(draft.name !== former.name && { name: draft.name }),
    ...(draft.environment !== former.environment && { environment: draft.environment }),
    ...(draft.version.trim() !== former.version && { bundle_version: Number(draft.version) }),
    ...(isExternal && draft.status !== former.status && { status: draft.status }),
    ...(isExternal && draft.url.trim() !== former.url && { url: draft.url.trim() }),
  };
}

/** @returns whether the version exists; an empty one is the latest, where that may be left out */
export const isVersion = (text: string, latest: number, mayBeEmpty: boolean): boolean =>
  text.trim() === '' ? mayBeEmpty : versionNumber(text.trim(), latest) !== undefined;
