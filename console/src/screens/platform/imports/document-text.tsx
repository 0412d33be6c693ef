import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { number } from '../../../messages/text';
import { classes } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { documentRows } from './document-lines';
import styles from './imports.module.css';
import { importWords } from './words';

const words = importWords.document;
/** Pixels; as the style sheet says. */
const LINE_HEIGHT = 24;
const OVERSCAN = 20;

interface Props {
  /** Formatted JSON. */
  text: string;
  faults: readonly { line: number | null; message: string }[];
  /** The line to show; a new object shows it again. */
  target: { line: number } | undefined;
}

/** A document line by line, with what is wrong with each of them. Only the lines that are seen are in the page. */
export function DocumentText({ text, faults, target }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => documentRows(text, faults), [text, faults]);
  // eslint-disable-next-line react-hooks/incompatible-library -- no compiler memoizes here
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
  });
  const first = useRef(faults.find(({ line }) => line !== null)?.line ?? undefined);
  const line = target?.line ?? first.current;
  useEffect(() => {
    if (line === undefined) return;
    const index = rows.findIndex((row) => row.line === line);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' });
    if (target) frame.current?.focus();
  }, [target, line, rows, virtualizer]);
  return (
    <div ref={frame} className={styles.text} role="region" aria-label={words.textLabel} tabIndex={0}>
      <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const style = { transform: `translateY(${start}px)`, height: LINE_HEIGHT };
          return row.type === 'line' ? (
            <div key={index} className={classes(row.isFaulty && styles.marked)} style={style}>
              <span className={styles.number}>{number(row.line)}</span>
              <bdi>{row.text}</bdi>
            </div>
          ) : (
            <div key={index} className={styles.message} style={style}>
              {words.fault} <bdi>{shown(row.text)}</bdi>
            </div>
          );
        })}
      </div>
    </div>
  );
}
