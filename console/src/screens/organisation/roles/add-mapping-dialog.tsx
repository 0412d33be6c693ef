import { useState } from 'react';
import { useSignedIn } from '../../../api/me';
import { useChange, useList } from '../../../api/queries';
import type { ScimSettings } from '../../../api/schema';
import { number, t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { TextInput } from '../../../ui/field';
import { Picker } from '../../../ui/picker';
import { notify } from '../../../ui/toasts';
import { usePaused } from '../../../ui/use-paused';
import { membersWords } from '../members/words';
import { PreviewedForm } from './previewed-form';
import { creationOf, EMPTY_MAPPING, toCreate, toUpdate } from './proposals';
import { RoleChoice } from './role-choice';
import { ROLE_READS } from './role-reads';
import { rolesWords } from './words';

const words = rolesWords.editing;
const MAX_NAME = 256;
const PAUSE_MS = 250;

interface Props {
  orgId: string;
  settings: ScimSettings;
  onClose: () => void;
}

/** Maps a group to a role, after a look at who gets it. */
export function AddMappingDialog({ orgId, settings, onClose }: Props) {
  const [draft, setDraft, dropDraft] = useDraft(`mapping.${orgId}`, EMPTY_MAPPING);
  const [typed, setTyped] = useState('');
  const prefix = usePaused(typed.trim(), PAUSE_MS).slice(0, MAX_NAME);
  // The name of the chosen group is in the field, and is no search.
  const isSearch = prefix !== '' && prefix !== draft.group?.name;
  const groups = useList(
    'GET /v1/organisations/{org_id}/scim/directory/groups',
    { path: { org_id: orgId }, query: { ...(isSearch && { display_name: prefix }) } },
    { enabled: draft.by === 'known', keepsFormer: true },
  );
  const own = useSignedIn().organisations.find(({ org_id }) => org_id === orgId)?.role;
  const add = useChange('POST /v1/organisations/{org_id}/scim/role-mappings', ROLE_READS);
  const change = useChange('PATCH /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}', ROLE_READS);
  // Until the server has searched, the former groups are there: Enter must not choose one of them.
  const begun = typed.trim() === draft.group?.name ? '' : typed.trim().toLowerCase();
  const offered = groups.items.filter(({ display_name }) => display_name.toLowerCase().startsWith(begun));
  const chosen = draft.by === 'known' ? groups.items.find(({ id }) => id === draft.group?.id) : undefined;
  // Of 1,000 groups with a role, one is found fastest by its name.
  const mapping = chosen?.mapping ?? null;
  const isForOwners = mapping?.role === 'OWNER' && own !== 'OWNER';
  const done = (notice: string) => ({
    onSuccess: () => {
      dropDraft();
      notify(notice);
      onClose();
    },
  });
  const save = (confirm: boolean) => {
    const body = creationOf(draft);
    if (mapping) {
      const path = { org_id: orgId, mapping_id: mapping.id };
      change.mutate({ path, query: { confirm }, body: { role: draft.role } }, done(words.changed));
    } else if (body) {
      add.mutate({ path: { org_id: orgId }, query: { confirm }, body }, done(words.added));
    }
  };
  const error = add.error ?? change.error;
  const people = (count: number) => rolesWords.mappings.people(number(count), count === 1);
  return (
    <Dialog open wide onClose={onClose} title={words.addTitle}>
      <PreviewedForm
        orgId={orgId}
        proposal={isForOwners ? undefined : mapping ? toUpdate(mapping, draft.role) : toCreate(draft)}
        action={mapping ? words.change : words.add}
        busy={add.isPending || change.isPending}
        error={error}
        onSave={save}
        aside={<Button onClick={onClose}>{t.ui.cancel}</Button>}
      >
        <Choice
          legend={words.by}
          value={draft.by}
          onChange={(by) => setDraft({ ...draft, by })}
          options={[
            ['known', words.byOptions.known],
            ['named', words.byOptions.named],
          ]}
        />
        {draft.by === 'known' ? (
          <Picker
            label={words.group}
            hint={mapping ? words.mapped(membersWords.roles[mapping.role]) : words.groupHint}
            error={isForOwners ? rolesWords.mappings.onlyOwners : error?.at('group_id')}
            picks={offered.map(({ id, display_name, member_count, mapping: given }) => ({
              id,
              name: display_name,
              detail: words.groupDetail(people(member_count), given ? membersWords.roles[given.role] : undefined),
            }))}
            value={draft.group}
            onChange={(pick) => setDraft({ ...draft, group: pick && { id: pick.id, name: pick.name } })}
            onType={setTyped}
            empty={groups.isFetching ? words.reading : words.groupEmpty}
          />
        ) : (
          <TextInput
            label={words.name}
            hint={words.nameHint}
            value={draft.name}
            maxLength={MAX_NAME}
            required
            error={error?.at('group_name')}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
        )}
        <RoleChoice
          orgId={orgId}
          settings={settings}
          value={draft.role}
          onChange={(role) => setDraft({ ...draft, role })}
          error={error?.at('role')}
        />
      </PreviewedForm>
    </Dialog>
  );
}
