import { type FormEvent, useRef, useState } from 'react';
import { useSignedIn } from '../../api/me';
import { useChange } from '../../api/queries';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useDraft } from '../../ui/draft';
import { SelectInput, TextArea, TextInput } from '../../ui/field';
import { focusFirstInvalid } from '../../ui/focus-first';
import layout from '../../ui/layout.module.css';
import { shown } from '../../ui/other-text';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';

const text = t.requests;
const MAX_WHY = 2_000;
const MAX_NAME = 200;

interface AskDialogProps {
  open: boolean;
  onClose: () => void;
  /** What is asked for; without it, a person says its name. */
  listing?: { id: string; title: string };
  /** What was searched for. */
  name?: string;
}

/** Asks the administrators of an organisation for a server. */
export function AskDialog({ open, onClose, listing, name = '' }: AskDialogProps) {
  const organisations = useSignedIn().organisations.filter(({ role }) => role !== null);
  const [orgId, setOrgId] = useState(organisations[0]?.org_id ?? '');
  const [draft, setDraft, dropDraft] = useDraft(`ask.${listing?.id ?? name}`, EMPTY);
  const form = useRef<HTMLFormElement>(null);
  const ask = useChange('POST /v1/organisations/{org_id}/server-requests', [
    'GET /v1/organisations/{org_id}/server-requests',
    'GET /v1/users/me/waiting',
  ]);
  const wanted = draft.name ?? name;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const what = listing ? { listing_id: listing.id } : { name: wanted };
    ask.mutate(
      { path: { org_id: orgId }, body: { ...what, why: draft.why } },
      {
        onSuccess: () => {
          dropDraft();
          notify(text.sent);
          onClose();
        },
        onError: () => requestAnimationFrame(() => focusFirstInvalid(form.current)),
      },
    );
  };
  return (
    <Dialog open={open} onClose={onClose} title={text.ask}>
      <form ref={form} className={layout.stack} onSubmit={send}>
        <p>{text.askHelp}</p>
        {organisations.length > 1 && (
          <SelectInput
            label={text.organisation}
            value={orgId}
            onChange={(event) => setOrgId(event.target.value)}
            options={organisations.map((one) => [one.org_id, shown(one.name)] as const)}
          />
        )}
        {listing ? (
          <p>
            <bdi>{text.listing(shown(listing.title))}</bdi>
          </p>
        ) : (
          <TextInput
            label={text.name}
            hint={text.nameHint}
            value={wanted}
            maxLength={MAX_NAME}
            required
            error={ask.error?.at('name')}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
        )}
        <TextArea
          label={text.why}
          value={draft.why}
          maxLength={MAX_WHY}
          error={ask.error?.at('why')}
          onChange={(event) => setDraft({ ...draft, why: event.target.value })}
        />
        {ask.error && <Problem error={ask.error} />}
        <Button type="submit" look="primary" busy={ask.isPending}>
          {text.send}
        </Button>
      </form>
    </Dialog>
  );
}

const EMPTY: { name?: string; why: string } = { why: '' };
