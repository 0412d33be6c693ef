import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSignedIn } from '../../api/me';
import { useRead } from '../../api/queries';
import { number, t } from '../../messages/text';
import { Button, buttonClass } from '../../ui/button';
import { Row } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { AskDialog } from '../requests/ask-dialog';
import { type CatalogueSearch, filterOf, isNarrowed, wordsOf } from './filters';

const text = t.catalogue;

interface Props {
  search: CatalogueSearch;
  onClear: () => void;
}

/** Nothing was found: what was tried, and what else a person can do. */
export function NoHit({ search, onClear }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { organisations } = useSignedIn();
  const words = search.q?.trim() ?? '';
  const single = wordsOf(words);
  const canAsk = organisations.some(({ role }) => role !== null);
  return (
    <Empty>
      <p>{words === '' ? text.nothingHere : text.nothing(shown(words))}</p>
      {words !== '' && <p>{text.nothingHelp}</p>}
      {single.length > 1 && (
        <Row>
          {single.map((word) => (
            <OneWord key={word} search={{ ...search, q: word }} />
          ))}
        </Row>
      )}
      <Row>
        {isNarrowed(search) ? (
          <Button onClick={onClear}>{text.clear}</Button>
        ) : (
          <Link to="/catalogue" className={buttonClass()}>
            {text.showAll}
          </Link>
        )}
        {canAsk && (
          <Button look="primary" onClick={() => setAsking(true)}>
            {text.ask}
          </Button>
        )}
      </Row>
      {canAsk && <p>{text.askHelp}</p>}
      {isAsking && <AskDialog open onClose={() => setAsking(false)} name={words} />}
    </Empty>
  );
}

/** A link to what one of the words finds, where it finds something. */
function OneWord({ search }: { search: CatalogueSearch & { q: string } }) {
  const { data } = useRead('GET /v1/mcp/listings/facets', { query: filterOf(search) });
  if (data === undefined || data.total === 0) return null;
  return (
    <Link to="/catalogue" search={search} className={buttonClass()}>
      {text.oneWord(shown(search.q), text.found(data.total, number(data.total)))}
    </Link>
  );
}
