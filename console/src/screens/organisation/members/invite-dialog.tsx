import { type FormEvent, useRef } from 'react';
import { useSignedIn } from '../../../api/me';
import { useChange } from '../../../api/queries';
import type { Role } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { ExplainedChoice } from '../../../ui/explained-choice';
import { TextInput } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import layout from '../../../ui/layout.module.css';
import { Quiet } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { rolesToGive } from './member-changes';
import { INVITATION_READS } from './member-reads';
import { membersWords } from './words';

const words = membersWords.inviting;
const MAX_ADDRESS = 254;
const EMPTY: { email: string; role: Role } = { email: '', role: 'MEMBER' };

/** Invites a person by address. */
export function InviteDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const me = useSignedIn();
  const own = me.organisations.find(({ org_id }) => org_id === orgId)?.role ?? null;
  const [draft, setDraft, dropDraft] = useDraft(`invite.${orgId}`, EMPTY);
  const form = useRef<HTMLFormElement>(null);
  const invite = useChange('POST /v1/organisations/{org_id}/members', INVITATION_READS);
  useFocusFirstInvalid(form, invite.error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (invite.isPending) return;
    invite.mutate(
      { path: { org_id: orgId }, body: draft },
      {
        onSuccess: () => {
          notify(words.sent(shown(draft.email)));
          dropDraft();
          onClose();
        },
      },
    );
  };
  return (
    <Dialog open onClose={onClose} title={words.title}>
      <form ref={form} className={layout.stack} onSubmit={send}>
        <p>{words.help}</p>
        <TextInput
          type="email"
          label={words.address}
          value={draft.email}
          maxLength={MAX_ADDRESS}
          required
          error={invite.error?.at('email')}
          onChange={(event) => setDraft({ ...draft, email: event.target.value })}
        />
        <ExplainedChoice
          legend={words.role}
          value={draft.role}
          onChange={(role) => setDraft({ ...draft, role })}
          options={rolesToGive(own).map(
            (one) => [one, membersWords.roles[one], membersWords.changing.roleHelp[one]] as const,
          )}
          error={invite.error?.at('role')}
        />
        <Quiet>
          {words.expires} {words.where}
        </Quiet>
        {invite.error && <Problem error={invite.error} />}
        <Button type="submit" look="primary" busy={invite.isPending}>
          {words.send}
        </Button>
      </form>
    </Dialog>
  );
}
