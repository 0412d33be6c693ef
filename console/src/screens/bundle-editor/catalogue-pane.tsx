import { Link } from '@tanstack/react-router';
import { type HTMLAttributes, useEffect, useState } from 'react';
import { useList } from '../../api/queries';
import { Badge } from '../../ui/badge';
import { Button, buttonClass } from '../../ui/button';
import { TextInput } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Quiet, Section } from '../../ui/layout';
import layout from '../../ui/layout.module.css';
import type { ListedServer } from '../../ui/listing-card';
import { OtherText, shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { usePaused } from '../../ui/use-paused';
import { editorRoute } from './editor-route';
import styles from './editor.module.css';
import { type Editor, MAX_ENTRIES } from './use-editor';
import { editorWords } from './words';

const words = editorWords.catalogue;
const PAUSE_MS = 150;

interface Props {
  editor: Editor;
  onAdd: (listing: ListedServer) => void;
  handle: (listing: ListedServer) => HTMLAttributes<HTMLElement>;
}

/** Servers to add, found by words. */
export function CataloguePane({ editor, onAdd, handle }: Props) {
  const { q = '' } = editorRoute.useSearch();
  const navigate = editorRoute.useNavigate();
  const [typed, setTyped] = useState(q);
  const rested = usePaused(typed.trim(), PAUSE_MS);
  useEffect(() => {
    void navigate({ search: rested === '' ? {} : { q: rested }, replace: true, resetScroll: false });
  }, [rested, navigate]);
  const search = rested === '' ? {} : { search: rested };
  const list = useList(
    'GET /v1/mcp/listings',
    { query: { ...search, scope: 'visible', limit: 30 } },
    { keepsFormer: true },
  );
  const present = new Set(editor.now.map(({ listing_id }) => listing_id));
  const isFull = editor.now.length >= MAX_ENTRIES;
  return (
    <div className={styles.side}>
      <Section title={words.title}>
        <TextInput
          type="search"
          label={words.search}
          placeholder={words.hint}
          isFilter
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {isFull && <Quiet>{words.full(MAX_ENTRIES)}</Quiet>}
        <Rows
          list={list}
          label={words.label}
          keyOf={({ id }) => id}
          empty={
            <Empty>
              <p>{words.none}</p>
              <Link to="/requests" search={{ ask: rested }} className={buttonClass()}>
                {words.ask}
              </Link>
            </Empty>
          }
          row={(listing) => (
            <div className={styles.line}>
              {!present.has(listing.id) && !isFull && (
                <span className={styles.handle} title={words.dragOne(shown(listing.title))} {...handle(listing)}>
                  <Icon name="drag" />
                </span>
              )}
              <div className={styles.grow}>
                <span className={styles.name}>
                  <OtherText>{listing.title}</OtherText>
                </span>
                <span className={layout.cut} title={shown(listing.name)}>
                  <Quiet>
                    <OtherText>{listing.description}</OtherText>
                  </Quiet>
                </span>
              </div>
              {present.has(listing.id) ? (
                <Badge icon="check">{words.present}</Badge>
              ) : (
                !isFull && (
                  <Button icon="plus" aria-label={words.addOne(shown(listing.title))} onClick={() => onAdd(listing)}>
                    {words.add}
                  </Button>
                )
              )}
            </div>
          )}
        />
      </Section>
    </div>
  );
}
