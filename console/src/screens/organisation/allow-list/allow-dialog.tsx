import { type FormEvent, useRef, useState } from 'react';
import { useList, useRead } from '../../../api/queries';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SelectInput, TextInput } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import { Row } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { type Pick, Picker } from '../../../ui/picker';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { usePaused } from '../../../ui/use-paused';
import { t } from '../../../messages/text';
import styles from './allow-list.module.css';
import { AllowPreview } from './allow-preview';
import { effectOfAllowing } from './effects';
import { useAllow } from './use-allow';
import { words } from './words';

const text = words.allow;
const PAUSE_MS = 200;
/** As the value of the choice. */
const NEW = '';

interface AllowDialogProps {
  orgId: string;
  /** From the address; undefined: none is chosen yet. */
  listingId: string | undefined;
  onChoose: (id: string | undefined) => void;
  onClose: () => void;
}

/** Allows a server by adding it to a bundle, and says beforehand what that changes. */
export function AllowDialog({ orgId, listingId, onChoose, onClose }: AllowDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState('');
  const search = usePaused(typed, PAUSE_MS);
  const found = useList(
    'GET /v1/mcp/listings',
    { query: { limit: 20, ...(search.trim() !== '' && { search: search.trim() }) } },
    { enabled: listingId === undefined },
  );
  const listing = useRead(
    'GET /v1/mcp/listings/{listing_id}',
    { path: { listing_id: listingId ?? '' } },
    { enabled: listingId !== undefined },
  );
  const having = useList(
    'GET /v1/mcp/listings/{listing_id}/bundles',
    { path: { listing_id: listingId ?? '' }, query: { limit: 100 } },
    { enabled: listingId !== undefined },
  );
  const bundles = useList('GET /v1/bundles', { query: { scope: 'organisations', org_id: orgId, limit: 100 } });
  const own = bundles.items.filter(({ may_modify: may }) => may);
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState<string>(text.newNameInitial);
  const bundle = own.find(({ id }) => id === (chosen ?? own[0]?.id));
  const allow = useAllow(orgId);
  useFocusFirstInvalid(form, allow.error);
  const picks: Pick[] = found.items.map((one) => ({ id: one.id, name: one.title, detail: one.name }));
  const title = listing.data?.title;
  const pick = listingId !== undefined && title !== undefined ? { id: listingId, name: title } : null;
  const effect =
    listingId !== undefined && having.data !== undefined
      ? effectOfAllowing(orgId, bundle?.id, having.items)
      : undefined;
  const isReady = bundles.data !== undefined && pick !== null && effect !== undefined && effect.kind !== 'nothing';
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || allow.isPending) return;
    allow.mutate(
      { listingId: pick.id, bundle: bundle ? { id: bundle.id } : { name }, effect },
      {
        onSuccess: () => {
          notify(text.done(shown(pick.name)));
          onClose();
        },
      },
    );
  };
  const error = bundles.error ?? listing.error ?? having.error;
  return (
    <Dialog open onClose={onClose} title={text.title}>
      <form ref={form} className={styles.form} onSubmit={send}>
        <Picker
          label={text.server}
          hint={text.serverHint}
          picks={picks}
          value={pick}
          onChange={(next) => onChoose(next?.id)}
          onType={setTyped}
          empty={found.isFetching ? text.searching : text.noHit}
          error={allow.error?.at('listing_id')}
        />
        <SelectInput
          label={text.bundle}
          hint={text.bundleHint}
          value={bundle?.id ?? NEW}
          onChange={(event) => setChosen(event.target.value)}
          options={[...own.map((one) => [one.id, shown(one.name)] as const), [NEW, text.newBundle]]}
        />
        {bundles.data !== undefined && !bundle && (
          <TextInput
            label={text.newName}
            value={name}
            maxLength={200}
            required
            onChange={(event) => setName(event.target.value)}
            error={allow.error?.at('name')}
          />
        )}
        {pick && effect && <AllowPreview server={pick.name} bundle={bundle} effect={effect} />}
        {error && <Problem error={error} />}
        {allow.error && allow.error.faults.length === 0 && <Problem error={allow.error} />}
        <Row>
          <Button type="submit" look="primary" busy={allow.isPending} disabled={!isReady}>
            {text.confirm}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
        </Row>
      </form>
    </Dialog>
  );
}
