import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../../api/queries';
import type { QuarantinedDetail } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { hasDraft } from '../../../ui/draft';
import { Quiet, Row, Section, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty, Loaded } from '../../../ui/problem';
import { When } from '../../../ui/when';
import { DocumentActions } from './document-actions';
import { DocumentEditor, draftOf } from './document-editor';
import { FaultLinks } from './fault-links';
import { DocumentText } from './document-text';
import { sourceName } from './source-name';
import { importWords } from './words';

const words = importWords.document;

/** One document that could not be imported, and what can be done about it. */
export function DocumentPart({ id }: { id: string }) {
  const { document: _, ...search } = useSearch({ from: '/platform/imports' });
  const read = useRead('GET /v1/mcp/imports/quarantine/{document_id}', { path: { document_id: id } });
  return (
    <Stack>
      <Link to="/platform/imports" search={search}>
        {words.back}
      </Link>
      <Loaded read={read} lines={10}>
        {(document) => <Document document={document} />}
      </Loaded>
    </Stack>
  );
}

function Document({ document }: { document: QuarantinedDetail }) {
  const { id, state, kind, name, version, source, text, bytes, edited_text, created_at } = document;
  const [isEditing, setEditing] = useState(() => hasDraft(draftOf(id)));
  const [line, setLine] = useState<{ line: number }>();
  const isOpen = state === 'OPEN';
  const canEdit = isOpen && text !== null;
  const edit = () => {
    const lines = document.faults.flatMap((fault) => fault.line ?? []);
    setLine(line ?? (lines.length > 0 ? { line: Math.min(...lines) } : undefined));
    setEditing(true);
  };
  return (
    <Stack>
      <Stack gap="tight">
        <h2>
          {name === null ? importWords.quarantine.nameless : <OtherText>{name}</OtherText>}{' '}
          {version !== null && <OtherText>{version}</OtherText>}
        </h2>
        <Row>
          <Badge {...(isOpen && { tone: 'warn' as const, icon: 'alert' as const })}>
            {importWords.quarantine.kinds[kind]}
          </Badge>
          {!isOpen && <Badge tone="good">{importWords.quarantine.states[state]}</Badge>}
          <Quiet>
            {words.from} <bdi>{sourceName(source)}</bdi>, {words.received} <When at={created_at} />
          </Quiet>
        </Row>
        {!isOpen && <Decision document={document} />}
        {document.name_holder && isOpen && <NameHolder holder={document.name_holder} />}
      </Stack>
      <Section title={isOpen ? words.why : words.whyThen}>
        <FaultLinks faults={document.faults} {...(text !== null && { onGo: (at: number) => setLine({ line: at }) })} />
      </Section>
      {!isEditing && <DocumentActions document={document} {...(canEdit && { onEdit: edit })} />}
      {isEditing && canEdit && (
        <DocumentEditor document={document} text={text} target={line} onClose={() => setEditing(false)} />
      )}
      {edited_text !== null && (
        <Section title={words.editedText}>
          <DocumentText text={edited_text} faults={[]} target={undefined} />
        </Section>
      )}
      {!isEditing && (
        <Section title={words.text}>
          {text === null ? (
            <Empty>{kind === 'UNREADABLE' ? words.unreadable : words.tooLong(number(bytes))}</Empty>
          ) : (
            <DocumentText text={text} faults={document.faults} target={line} />
          )}
        </Section>
      )}
    </Stack>
  );
}

function Decision({ document: { state, decided_at, decided_by } }: { document: QuarantinedDetail }) {
  return (
    <p>
      {words.stateHelp[state]}{' '}
      <Quiet>
        {decided_at !== null && <When at={decided_at} />}{' '}
        <bdi>{words.decidedBy(decided_by?.name ? shown(decided_by.name) : words.unknownPerson)}</bdi>
      </Quiet>
    </p>
  );
}

function NameHolder({ holder }: { holder: NonNullable<QuarantinedDetail['name_holder']> }) {
  return (
    <p>
      {words.holder}{' '}
      <Link to="/servers/$listingId" params={{ listingId: holder.listing_id }}>
        <OtherText>{holder.title}</OtherText>
      </Link>
      {', '}
      {holder.source === null ? words.holderHere : words.holderFrom(sourceName(holder.source))}
    </p>
  );
}
