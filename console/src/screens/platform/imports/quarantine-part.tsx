import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useList } from '../../../api/queries';
import type { ImportOverview, Quarantined } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { SelectInput } from '../../../ui/field';
import { Grid, Quiet, Section } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { When } from '../../../ui/when';
import styles from './imports.module.css';
import { sourceName } from './source-name';
import { importWords } from './words';

const words = importWords.quarantine;
const STATES = ['OPEN', 'EDITED', 'DISMISSED'] as const;
const KINDS = ['INVALID', 'NAME_TAKEN', 'VERSION_TAKEN', 'TOO_LARGE', 'UNREADABLE'] as const;

/** The documents that could not be imported, by reason. */
export function QuarantinePart({ overview }: { overview: ImportOverview | undefined }) {
  const search = useSearch({ from: '/platform/imports' });
  const navigate = useNavigate({ from: '/platform/imports' });
  const state = STATES.find((one) => one === search.state) ?? 'OPEN';
  const kind = KINDS.find((one) => one === search.kind);
  const { source } = search;
  const list = useList('GET /v1/mcp/imports/quarantine', {
    query: {
      state,
      with_document: false,
      ...(kind !== undefined && { kind }),
      ...(source !== undefined && { source }),
    },
  });
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  // Only what is to be looked at is counted by kind.
  const counted = (text: string, count: number | undefined) =>
    state === 'OPEN' && count !== undefined ? words.withCount(text, number(count)) : text;
  // Those without a document would only be in the way.
  const kinds = KINDS.filter((one) => one === kind || state !== 'OPEN' || !overview || countOf(overview, one) > 0);
  const sources = overview?.sources ?? [];
  const isFiltered = kind !== undefined || source !== undefined;
  return (
    <Section title={words.title}>
      <Quiet>{words.help}</Quiet>
      <Choice
        legend={words.state}
        value={state}
        onChange={(next) => change({ state: next === 'OPEN' ? undefined : next })}
        options={STATES.map((one) => [one, words.states[one]] as const)}
      />
      <Choice
        legend={words.kind}
        value={kind ?? ''}
        onChange={(next) => change({ kind: next === '' ? undefined : next })}
        options={[
          ['' as const, counted(words.anyKind, overview && total(overview))] as const,
          ...kinds.map((one) => [one, counted(words.kinds[one], overview && countOf(overview, one))] as const),
        ]}
      />
      {(sources.length > 1 || source !== undefined) && (
        <Grid>
          <SelectInput
            label={words.source}
            value={source ?? ''}
            onChange={(event) => change({ source: event.target.value === '' ? undefined : event.target.value })}
            options={[['', words.anySource], ...sources.map(({ address }) => [address, sourceName(address)] as const)]}
          />
        </Grid>
      )}
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        height={72}
        readsOn
        row={(document) => <DocumentLine document={document} />}
        empty={
          <Empty>
            {isFiltered ? (
              <>
                <p>{words.emptyFilter}</p>
                <Button onClick={() => change({ kind: undefined, source: undefined })}>{words.showAll}</Button>
              </>
            ) : (
              <>
                <p>{words.empty[state]}</p>
                <p>{words.emptyNext[state]}</p>
              </>
            )}
          </Empty>
        }
      />
    </Section>
  );
}

const countOf = ({ quarantine }: ImportOverview, kind: Quarantined['kind']) =>
  quarantine.find((count) => count.kind === kind)?.documents ?? 0;
const total = ({ quarantine }: ImportOverview) => quarantine.reduce((sum, { documents }) => sum + documents, 0);

function DocumentLine({ document }: { document: Quarantined }) {
  const { id, name, version, kind, reasons, source, created_at } = document;
  const search = useSearch({ from: '/platform/imports' });
  const [first] = reasons;
  return (
    <div className={styles.line}>
      <span>
        <Link to="/platform/imports" search={{ ...search, document: id }}>
          {name === null ? words.nameless : <OtherText>{name}</OtherText>}
          {version !== null && (
            <>
              {' '}
              <OtherText>{version}</OtherText>
            </>
          )}
        </Link>
        <br />
        {first && (
          <span>
            <bdi>{shown(first.path === '' ? first.message : `${first.path}: ${first.message}`)}</bdi>
          </span>
        )}
        {reasons.length > 1 && <Quiet> {words.more(number(reasons.length - 1), reasons.length === 2)}</Quiet>}
      </span>
      <span>
        <Badge>{words.kinds[kind]}</Badge>{' '}
        <Quiet>
          <bdi>{sourceName(source)}</bdi>, <When at={created_at} />
        </Quiet>
      </span>
    </div>
  );
}
