import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { QuarantinedDetail } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/dialog';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { importWords } from './words';

const words = importWords.document;

/** What shows documents of the quarantine. */
export const QUARANTINE_CHANGES = [
  'GET /v1/mcp/imports/quarantine',
  'GET /v1/mcp/imports/quarantine/{document_id}',
  'GET /v1/mcp/imports/overview',
  'GET /v1/mcp/listings',
] as const;

/** Where a person goes once a document is imported or dismissed. */
export function useLeaveDocument() {
  const { document: _, ...search } = useSearch({ from: '/platform/imports' });
  const navigate = useNavigate({ from: '/platform/imports' });
  return () => void navigate({ search });
}

/** Says that a document is imported, with a way to the server that it became. */
export function useImported() {
  const navigate = useNavigate();
  return (name: string, listingId: string | null) =>
    notify(
      words.imported(name),
      'good',
      listingId === null
        ? undefined
        : {
            label: words.openListing,
            onPress: () => void navigate({ to: '/servers/$listingId', params: { listingId } }),
          },
    );
}

interface Props {
  document: QuarantinedDetail;
  /** Absent where there is nothing to edit. */
  onEdit?: () => void;
}

/** What can be done about a document; nothing that must fail. */
export function DocumentActions({ document, onEdit }: Props) {
  const { id, state, kind, name } = document;
  const [asked, setAsked] = useState<'dismiss' | 'reopen'>();
  const [isKept, setKept] = useState(false);
  const retry = useChange('POST /v1/mcp/imports/quarantine/{document_id}/retry', QUARANTINE_CHANGES);
  const dismiss = useChange('POST /v1/mcp/imports/quarantine/{document_id}/dismiss', QUARANTINE_CHANGES);
  const reopen = useChange('POST /v1/mcp/imports/quarantine/{document_id}/reopen', QUARANTINE_CHANGES);
  const leave = useLeaveDocument();
  const sayImported = useImported();
  const parts = { path: { document_id: id } };
  const change = asked === 'reopen' ? reopen : dismiss;
  const done = (said: string) => () => {
    setAsked(undefined);
    notify(said);
    if (asked === 'dismiss') leave();
  };
  const tryAgain = () => {
    setKept(false);
    retry.mutate(parts, {
      onSuccess: ({ is_imported, listing_id: listingId }) => {
        setKept(!is_imported);
        if (!is_imported) return;
        sayImported(shown(name), listingId);
        leave();
      },
    });
  };
  if (state !== 'OPEN') {
    return (
      <>
        <Row>
          <Button onClick={() => setAsked('reopen')}>{words.reopen}</Button>
        </Row>
        {asked === 'reopen' && (
          <ConfirmDialog
            open
            title={words.reopenTitle}
            action={words.reopen}
            busy={change.isPending}
            onConfirm={() => reopen.mutate(parts, { onSuccess: done(words.reopened) })}
            onClose={() => setAsked(undefined)}
          >
            <p>{words.reopenHelp}</p>
            {change.error && <Problem error={change.error} />}
          </ConfirmDialog>
        )}
      </>
    );
  }
  return (
    <Stack gap="tight">
      <Row>
        {onEdit && (
          <Button look="primary" icon="pencil" onClick={onEdit}>
            {words.edit}
          </Button>
        )}
        {kind !== 'UNREADABLE' && (
          <Button icon="refresh" busy={retry.isPending} onClick={tryAgain}>
            {words.retry}
          </Button>
        )}
        <Button onClick={() => setAsked('dismiss')}>{words.dismiss}</Button>
      </Row>
      <div role="status">{isKept && <p>{words.stillQuarantined}</p>}</div>
      {retry.error && <Problem error={retry.error} />}
      {kind === 'NAME_TAKEN' && <Quiet>{words.retryHelp}</Quiet>}
      {asked === 'dismiss' && (
        <ConfirmDialog
          open
          title={words.dismissTitle}
          action={words.dismiss}
          busy={change.isPending}
          onConfirm={() => dismiss.mutate(parts, { onSuccess: done(words.dismissed) })}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.dismissHelp}</p>
          {change.error && <Problem error={change.error} />}
        </ConfirmDialog>
      )}
    </Stack>
  );
}
