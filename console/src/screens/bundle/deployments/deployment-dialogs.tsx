import { useMemo } from 'react';
import { useChange } from '../../../api/queries';
import type { Bundle, Deployment } from '../../../api/schema';
import { ConfirmDialog, Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { CHANGED_WITH_IT, creationOf, type DeploymentDraft, updateOf } from './deployment-changes';
import { DeploymentForm } from './deployment-form';
import { deploymentsWords as words } from './words';

const INITIAL: DeploymentDraft = {
  kind: 'ENDPOINT',
  name: '',
  environment: '',
  version: '',
  status: 'PENDING',
  url: '',
};

/** Binds a deployment to the bundle. */
export function AddDeployment({ bundle, onClose }: { bundle: Bundle; onClose: () => void }) {
  const create = useChange('POST /v1/bundles/{bundle_id}/deployments', CHANGED_WITH_IT);
  const [draft, setDraft, dropDraft] = useDraft(`deployment.of.${bundle.id}`, INITIAL);
  const submit = () =>
    create.mutate(
      { path: { bundle_id: bundle.id }, body: creationOf(draft) },
      {
        onSuccess: ({ name }) => {
          dropDraft();
          notify(words.form.added(shown(name)));
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={words.form.addTitle}>
      <DeploymentForm
        draft={draft}
        onDraft={setDraft}
        latest={bundle.version}
        isNew
        busy={create.isPending}
        problem={create.error}
        onSubmit={submit}
        onCancel={() => {
          dropDraft();
          onClose();
        }}
      />
    </Dialog>
  );
}

interface DeploymentDialogProps {
  bundle: Bundle;
  deployment: Deployment;
  onClose: () => void;
}

/** Changes what a deployment is called, what it runs, and how it is. */
export function ChangeDeployment({ bundle, deployment, onClose }: DeploymentDialogProps) {
  const change = useChange('PATCH /v1/bundles/{bundle_id}/deployments/{deployment_id}', CHANGED_WITH_IT);
  const former = useMemo(
    (): DeploymentDraft => ({
      kind: deployment.kind,
      name: deployment.name,
      environment: deployment.environment,
      version: String(deployment.bundle_version),
      status: deployment.status,
      url: deployment.url ?? '',
    }),
    [deployment],
  );
  const [draft, setDraft, dropDraft] = useDraft(`deployment.${deployment.id}`, former);
  const submit = () =>
    change.mutate(
      { path: { bundle_id: bundle.id, deployment_id: deployment.id }, body: updateOf(former, draft) },
      {
        onSuccess: ({ name }) => {
          dropDraft();
          notify(words.form.saved(shown(name)));
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={words.form.changeTitle(shown(deployment.name))}>
      <DeploymentForm
        draft={draft}
        onDraft={setDraft}
        latest={bundle.version}
        busy={change.isPending}
        problem={change.error}
        onSubmit={submit}
        onCancel={() => {
          dropDraft();
          onClose();
        }}
      />
    </Dialog>
  );
}

/** Moves a deployment to the latest version of the bundle. */
export function MoveDeployment({ bundle, deployment, onClose }: DeploymentDialogProps) {
  const change = useChange('PATCH /v1/bundles/{bundle_id}/deployments/{deployment_id}', CHANGED_WITH_IT);
  const name = shown(deployment.name);
  const confirm = () =>
    change.mutate(
      {
        path: { bundle_id: bundle.id, deployment_id: deployment.id },
        body: { bundle_version: bundle.version },
      },
      {
        onSuccess: () => {
          notify(words.moved(name, bundle.version));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.moveTitle(name, bundle.version)}
      action={words.move(bundle.version)}
      onConfirm={confirm}
      busy={change.isPending}
    >
      <p>{words.moveHelp[deployment.kind]}</p>
      {change.error && <Problem error={change.error} />}
    </ConfirmDialog>
  );
}

/** Takes a deployment from the bundle. */
export function RemoveDeployment({ bundle, deployment, onClose }: DeploymentDialogProps) {
  const remove = useChange('DELETE /v1/bundles/{bundle_id}/deployments/{deployment_id}', CHANGED_WITH_IT);
  const name = shown(deployment.name);
  const confirm = () =>
    remove.mutate(
      { path: { bundle_id: bundle.id, deployment_id: deployment.id } },
      {
        onSuccess: () => {
          notify(words.removed(name));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.removeTitle(name)}
      action={words.remove}
      onConfirm={confirm}
      busy={remove.isPending}
    >
      <p>{words.removeHelp[deployment.kind]}</p>
      {remove.error && <Problem error={remove.error} />}
    </ConfirmDialog>
  );
}
