import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { Role, RoleMapping, ScimSettings } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { shown } from '../../../ui/other-text';
import { notify } from '../../../ui/toasts';
import { PreviewedForm } from './previewed-form';
import { toDelete, toUpdate } from './proposals';
import { RoleChoice } from './role-choice';
import { ROLE_READS } from './role-reads';
import { rolesWords } from './words';

const words = rolesWords.editing;

interface Props {
  orgId: string;
  mapping: RoleMapping;
  onClose: () => void;
}

export function ChangeMappingDialog({ orgId, mapping, settings, onClose }: Props & { settings: ScimSettings }) {
  const [role, setRole] = useState<Role>(mapping.role);
  const change = useChange('PATCH /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}', ROLE_READS);
  const save = (confirm: boolean) =>
    change.mutate(
      { path: { org_id: orgId, mapping_id: mapping.id }, query: { confirm }, body: { role } },
      {
        onSuccess: () => {
          notify(words.changed);
          onClose();
        },
      },
    );
  return (
    <Dialog open wide onClose={onClose} title={words.changeTitle(shown(mapping.group_name))}>
      <PreviewedForm
        orgId={orgId}
        proposal={toUpdate(mapping, role)}
        action={words.change}
        busy={change.isPending}
        error={change.error}
        onSave={save}
        aside={<Button onClick={onClose}>{t.ui.cancel}</Button>}
      >
        <RoleChoice
          orgId={orgId}
          settings={settings}
          value={role}
          onChange={setRole}
          error={change.error?.at('role')}
        />
      </PreviewedForm>
    </Dialog>
  );
}

export function RemoveMappingDialog({ orgId, mapping, onClose }: Props) {
  const remove = useChange('DELETE /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}', ROLE_READS);
  const save = (confirm: boolean) =>
    remove.mutate(
      { path: { org_id: orgId, mapping_id: mapping.id }, query: { confirm } },
      {
        onSuccess: () => {
          notify(words.removed);
          onClose();
        },
      },
    );
  return (
    <Dialog open wide onClose={onClose} title={words.removeTitle(shown(mapping.group_name))}>
      <PreviewedForm
        orgId={orgId}
        proposal={toDelete(mapping)}
        action={words.remove}
        look="danger"
        busy={remove.isPending}
        error={remove.error}
        onSave={save}
        aside={<Button onClick={onClose}>{t.ui.cancel}</Button>}
      >
        <p>{words.removeHelp}</p>
      </PreviewedForm>
    </Dialog>
  );
}
