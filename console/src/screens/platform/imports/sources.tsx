import type { ImportOverview } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Lines, Quiet, Row, Section } from '../../../ui/layout';
import { When } from '../../../ui/when';
import styles from './imports.module.css';
import { sourceName } from './source-name';
import { importWords } from './words';

const words = importWords.sources;

/** Where listings are imported from. */
export function Sources({ overview: { sources, interval_minutes } }: { overview: ImportOverview }) {
  return (
    <Section title={words.title}>
      {sources.length === 0 ? (
        <Quiet>{words.none}</Quiet>
      ) : (
        <Lines label={words.label}>
          {sources.map((source) => (
            <li key={source.address}>
              <div className={styles.line}>
                <span>
                  <strong>
                    <bdi>{sourceName(source.address)}</bdi>
                  </strong>{' '}
                  {source.is_scheduled && <Badge icon="clock">{words.scheduled}</Badge>}
                  <br />
                  <Quiet>
                    {source.is_scheduled && `${words.every(interval_minutes)}, `}
                    {source.next_run_at !== null && source.is_scheduled && (
                      <>
                        {words.next} <When at={source.next_run_at} />,{' '}
                      </>
                    )}
                    {source.changed_until !== null && (
                      <>
                        {words.until} <When at={source.changed_until} />
                      </>
                    )}
                  </Quiet>
                </span>
                <Row>
                  <Badge {...(source.open > 0 && { tone: 'warn' as const })}>
                    {words.inQuarantine(number(source.open))}
                  </Badge>
                  {source.edited > 0 && <Badge>{words.edited(number(source.edited))}</Badge>}
                  {source.dismissed > 0 && <Badge>{words.dismissed(number(source.dismissed))}</Badge>}
                </Row>
              </div>
            </li>
          ))}
        </Lines>
      )}
    </Section>
  );
}
