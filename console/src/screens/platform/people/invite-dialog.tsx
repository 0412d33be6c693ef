import { type FormEvent, useRef } from 'react';
import { useChange } from '../../../api/queries';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { TextInput } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import layout from '../../../ui/layout.module.css';
import { Row, Stack } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { words } from './words';

const text = words.invitations;
const EMPTY = { email: '', name: '' };

/** Invites a person to have an account, and shows the link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useChange('POST /v1/users/invitations', ['GET /v1/users/invitations']);
  const [draft, setDraft, dropDraft] = useDraft('account-invitation', EMPTY);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, invite.error);
  if (invite.data) {
    return (
      <Dialog open onClose={onClose} title={text.made}>
        <Stack>
          <p>
            {text.once} {invite.data.mailed ? text.mailed : text.notMailed}
          </p>
          <CopyBlock text={invite.data.link} what={text.what} />
          <Row>
            <Button onClick={onClose}>{text.done}</Button>
          </Row>
        </Stack>
      </Dialog>
    );
  }
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (invite.isPending) return;
    const name = draft.name.trim();
    invite.mutate({ body: { email: draft.email.trim(), ...(name !== '' && { name }) } }, { onSuccess: dropDraft });
  };
  const problem = invite.error;
  const isAtField = problem?.at('email') !== undefined || problem?.at('name') !== undefined;
  return (
    <Dialog open onClose={onClose} title={text.title}>
      <form ref={form} className={layout.stack} onSubmit={send} noValidate>
        <p>{text.help}</p>
        <TextInput
          label={text.email}
          hint={text.emailHint}
          type="email"
          value={draft.email}
          maxLength={254}
          required
          error={problem?.at('email')}
          onChange={(event) => setDraft({ ...draft, email: event.target.value })}
        />
        <TextInput
          label={text.name}
          hint={text.nameHint}
          value={draft.name}
          maxLength={200}
          error={problem?.at('name')}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        />
        {problem && !isAtField && <Problem error={problem} />}
        <Row>
          <Button type="submit" look="primary" busy={invite.isPending} disabled={draft.email.trim() === ''}>
            {text.submit}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
        </Row>
      </form>
    </Dialog>
  );
}
