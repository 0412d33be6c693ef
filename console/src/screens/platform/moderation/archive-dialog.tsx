import { type FormEvent, useRef } from 'react';
import { useChange } from '../../../api/queries';
import type { Listing } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { TextArea } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import layout from '../../../ui/layout.module.css';
import { Row } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { Consequences } from '../consequences';
import { LISTING_CHANGES } from './listing-changes';
import { words } from './words';

const text = words.listings;
const MAX_REASON = 500;

interface Props {
  listing: Listing;
  onClose: () => void;
}

/** Archives a server, or says why it stays archived; what follows is said first. */
export function ArchiveDialog({ listing, onClose }: Props) {
  const name = shown(listing.title);
  const [reason, setReason, dropReason] = useDraft(`archive.${listing.id}`, listing.archive_reason ?? '');
  const archive = useChange('POST /v1/mcp/listings/{listing_id}/archive', LISTING_CHANGES);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, archive.error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (archive.isPending || reason.trim() === '') return;
    archive.mutate(
      { path: { listing_id: listing.id }, body: { reason: reason.trim() } },
      {
        onSuccess: () => {
          dropReason();
          notify(text.archived(name));
          onClose();
        },
      },
    );
  };
  const error = archive.error?.at('reason');
  const isArchived = listing.status === 'ARCHIVED';
  return (
    <Dialog open onClose={onClose} title={isArchived ? text.keepTitle(name) : text.archiveTitle(name)}>
      <form ref={form} className={layout.stack} onSubmit={send} noValidate>
        <Consequences label={text.follows} items={isArchived ? text.archiveFollows.slice(2) : text.archiveFollows} />
        <TextArea
          label={text.reasonLabel}
          hint={text.reasonHint}
          value={reason}
          maxLength={MAX_REASON}
          required
          error={error}
          onChange={(event) => setReason(event.target.value)}
        />
        {archive.error && error === undefined && <Problem error={archive.error} />}
        <Row>
          <Button type="submit" look="danger" busy={archive.isPending} disabled={reason.trim() === ''}>
            {isArchived ? text.keep : text.archive}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
        </Row>
      </form>
    </Dialog>
  );
}
