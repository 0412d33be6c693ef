import type { EndpointReport } from '../../../api/schema';
import { number } from '../../../messages/text';
import styles from './endpoint.module.css';
import { endpointWords } from './words';

const words = endpointWords.report;
const BYTES = 1_000;

/** How much clients get, and what it costs a model. */
export function ReportFigures({ report }: { report: EndpointReport }) {
  const kilobytes = Math.max(1, Math.round(report.tools_bytes / BYTES));
  const figures: readonly (readonly [string, string])[] = [
    [words.tools, number(report.tools.length)],
    [words.prompts, number(report.prompts.length)],
    [words.tokens, number(report.tools_tokens)],
    [words.size, words.kilobytes(number(kilobytes))],
    [words.version, number(report.version)],
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
