import { useSignedIn } from '../../../api/me';
import { useChange } from '../../../api/queries';
import type { ScimSettings } from '../../../api/schema';
import { useDraft } from '../../../ui/draft';
import { ExplainedChoice } from '../../../ui/explained-choice';
import { Quiet } from '../../../ui/layout';
import { notify } from '../../../ui/toasts';
import { PreviewedForm } from './previewed-form';
import { type RoleSettings, settingsOf, toSettings } from './proposals';
import { ROLE_READS } from './role-reads';
import { rolesWords } from './words';

const words = rolesWords.settings;
const READS = ['GET /v1/organisations/{org_id}/scim/settings', ...ROLE_READS] as const;
const NO_CHANGES: Partial<RoleSettings> = {};

/** What counts besides the groups. Only what was changed is kept as a draft, so that others may save meanwhile. */
export function SettingsTab({ orgId, settings }: { orgId: string; settings: ScimSettings }) {
  const me = useSignedIn();
  const isOwner = me.organisations.find(({ org_id }) => org_id === orgId)?.role === 'OWNER';
  const saved = settingsOf(settings);
  const [draft, setDraft, dropDraft] = useDraft(`role-settings.${orgId}`, NO_CHANGES);
  const chosen = { ...saved, ...draft };
  const put = useChange('PUT /v1/organisations/{org_id}/scim/settings', READS);
  const save = (confirm: boolean) =>
    put.mutate(
      { path: { org_id: orgId }, query: { confirm }, body: chosen },
      {
        onSuccess: () => {
          dropDraft();
          notify(words.saved);
        },
      },
    );
  const { MEMBER, ADMIN, NONE } = words.defaultRoles;
  const { retain, refuse } = words.lastOwners;
  return (
    <PreviewedForm
      orgId={orgId}
      proposal={toSettings(saved, chosen)}
      action={words.save}
      busy={put.isPending}
      error={put.error}
      onSave={save}
    >
      <ExplainedChoice
        legend={words.defaultRole}
        value={chosen.default_role ?? 'NONE'}
        onChange={(next) => setDraft({ ...draft, default_role: next === 'NONE' ? null : next })}
        options={[choice('MEMBER', MEMBER), choice('ADMIN', ADMIN), choice('NONE', NONE)]}
        error={put.error?.at('default_role')}
      />
      {isOwner ? (
        <ExplainedChoice
          legend={words.owners}
          value={chosen.allow_owner_mapping ? 'on' : 'off'}
          onChange={(next) => setDraft({ ...draft, allow_owner_mapping: next === 'on' })}
          options={[
            ['off', words.ownersOff, words.ownersOffHelp],
            ['on', words.ownersOn, words.ownersOnHelp],
          ]}
          error={put.error?.at('allow_owner_mapping')}
        />
      ) : (
        <p>
          {words.owners}: {saved.allow_owner_mapping ? words.ownersOn : words.ownersOff}.{' '}
          <Quiet>{words.onlyOwner}</Quiet>
        </p>
      )}
      <ExplainedChoice
        legend={words.lastOwner}
        value={chosen.last_owner_policy}
        onChange={(last_owner_policy) => setDraft({ ...draft, last_owner_policy })}
        options={[choice('retain', retain), choice('refuse', refuse)]}
        error={put.error?.at('last_owner_policy')}
      />
    </PreviewedForm>
  );
}

/** A value with its text and what it means. */
const choice = <Value extends string>(value: Value, [name = '', help = '']: readonly string[]) =>
  [value, name, help] as const;
