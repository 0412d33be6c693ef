import { Link } from '@tanstack/react-router';
import type { Bundle, EndpointEntry, EndpointProblem, EndpointReport } from '../../../api/schema';
import { number } from '../../../messages/text';
import { type Tone, Badge } from '../../../ui/badge';
import { buttonClass } from '../../../ui/button';
import type { IconName } from '../../../ui/icon';
import { Quiet, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Rows } from '../../../ui/rows';
import bundleStyles from '../bundle.module.css';
import styles from './endpoint.module.css';
import { MendLink } from './mend-link';
import { type Severity, severityOf, worstFirst } from './problem-mends';
import { wholeList } from '../../../ui/whole-list';
import { endpointWords, problemWords } from './words';

const words = endpointWords.problems;

const LOOK: Record<Severity, readonly [Tone | undefined, IconName]> = {
  bad: ['bad', 'alert'],
  warn: ['warn', 'alert'],
  info: [undefined, 'info'],
};

/** What is wrong with the endpoint, each with what mends it; the worst first. */
export function ProblemList({ bundle, report }: { bundle: Bundle; report: EndpointReport }) {
  const entries = new Map(report.entries.map((entry) => [entry.entry_id, entry]));
  const problems = worstFirst(report.problems).map((problem, index) => ({ problem, key: String(index) }));
  const hidden = report.problem_count - report.problems.length;
  const isFine = problems.length === 0 && report.policy_findings.length === 0;
  if (isFine)
    return (
      <Badge tone="good" icon="check">
        {words.none}
      </Badge>
    );
  return (
    <Stack gap="tight">
      {problems.length > 0 && (
        <>
          <Quiet>{words.count(number(report.problem_count), report.problem_count)}</Quiet>
          <Rows
            list={wholeList(problems)}
            label={words.label}
            keyOf={({ key }) => key}
            row={({ problem }) => <ProblemLine bundle={bundle} problem={problem} entries={entries} />}
            height={112}
            empty={null}
          />
        </>
      )}
      {hidden > 0 && <Quiet>{words.more(number(hidden))}</Quiet>}
      {report.policy_findings.map(({ rule, code }) => (
        <div key={`${rule}.${code}`} className={bundleStyles.line}>
          <div className={bundleStyles.grow}>
            <strong>{words.findings[code]}</strong>
            <Quiet>{words.rule(number(rule + 1))}</Quiet>
          </div>
          <Badge tone="warn" icon="alert">
            {words.severities.warn}
          </Badge>
          <Link
            to="/bundles/$bundleId"
            params={{ bundleId: bundle.id }}
            search={{ tab: 'policies' }}
            className={buttonClass()}
          >
            {words.mends.policies}
          </Link>
        </div>
      ))}
    </Stack>
  );
}

interface ProblemLineProps {
  bundle: Bundle;
  problem: EndpointProblem;
  entries: ReadonlyMap<string, EndpointEntry>;
}

function ProblemLine({ bundle, problem, entries }: ProblemLineProps) {
  const severity = severityOf(problem.code);
  const [tone, icon] = LOOK[severity];
  const text = problemWords[problem.code];
  const about = [problem.entry_id, problem.other_entry_id].flatMap((id) => (id === null ? [] : [entries.get(id)]));
  return (
    <div className={bundleStyles.line}>
      <div className={bundleStyles.grow}>
        <strong>{text?.wrong ?? shown(problem.detail)}</strong>
        <ul className={bundleStyles.facts}>
          {about.map((entry, index) => (
            <li key={entry?.entry_id ?? index}>
              {entry?.listing_name ? <OtherText>{entry.listing_name}</OtherText> : endpointWords.servers.unseen}
            </li>
          ))}
          {problem.subject !== null && (
            <li>
              <code>{shown(problem.subject)}</code>
            </li>
          )}
        </ul>
        {text && <p className={styles.text}>{text.mend}</p>}
        {text && problem.detail !== '' && <Quiet>{words.said(shown(problem.detail))}</Quiet>}
      </div>
      <Badge tone={tone} icon={icon}>
        {words.severities[severity]}
      </Badge>
      <MendLink bundle={bundle} problem={problem} of={problem.subject ?? about[0]?.listing_name ?? ''} />
    </div>
  );
}
