import { Link } from '@tanstack/react-router';
import type { Bundle, EndpointEntry, EndpointEntryState } from '../../../api/schema';
import { number } from '../../../messages/text';
import { type Tone, Badge } from '../../../ui/badge';
import { buttonClass } from '../../../ui/button';
import type { IconName } from '../../../ui/icon';
import { Quiet, Row, Section } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { When } from '../../../ui/when';
import bundleStyles from '../bundle.module.css';
import styles from './endpoint.module.css';
import { isUnderWay } from './problem-mends';
import { RefreshButton } from './refresh-button';
import { wholeList } from '../../../ui/whole-list';
import { endpointWords } from './words';

const words = endpointWords.servers;

const LOOK: Record<EndpointEntryState, readonly [Tone | undefined, IconName]> = {
  READY: ['good', 'check'],
  WAITING: [undefined, 'clock'],
  FAILING: ['bad', 'alert'],
  OUT_OF_REACH: ['bad', 'close'],
  UNAVAILABLE: ['bad', 'lock'],
};

/** The servers of the bundle that are on, with what is known of each. */
export function ServersPart({ bundle, entries }: { bundle: Bundle; entries: readonly EndpointEntry[] }) {
  const off = bundle.entry_count - entries.length;
  return (
    <Section
      title={words.title}
      aside={bundle.may_modify && entries.length > 0 && <RefreshButton bundleId={bundle.id} />}
    >
      <div role="status">{isUnderWay(entries) && <p className={styles.text}>{words.goesOn}</p>}</div>
      <Rows
        list={wholeList(entries)}
        label={words.label}
        keyOf={({ entry_id }) => entry_id}
        row={(entry) => <ServerLine bundleId={bundle.id} entry={entry} />}
        height={88}
        empty={
          <Empty>
            <p>{words.empty}</p>
            {bundle.may_modify && <ToEditor bundleId={bundle.id} isButton />}
          </Empty>
        }
      />
      {off > 0 && entries.length > 0 && (
        <Row>
          <Quiet>{words.off(number(off), off)}</Quiet>
          {bundle.may_modify && <ToEditor bundleId={bundle.id} />}
        </Row>
      )}
    </Section>
  );
}

const ToEditor = ({ bundleId, isButton }: { bundleId: string; isButton?: boolean }) => (
  <Link to="/bundles/$bundleId/edit" params={{ bundleId }} {...(isButton && { className: buttonClass() })}>
    {words.toEditor}
  </Link>
);

function ServerLine({ bundleId, entry }: { bundleId: string; entry: EndpointEntry }) {
  const [tone, icon] = LOOK[entry.state];
  const { credential_state: account } = entry;
  return (
    <div className={bundleStyles.line}>
      <div className={bundleStyles.grow}>
        <span className={bundleStyles.title}>
          {entry.listing_name === null ? words.unseen : <OtherText>{entry.listing_name}</OtherText>}
        </span>
        <ul className={bundleStyles.facts}>
          {entry.alias !== null && (
            <li>
              <code>{shown(entry.alias)}</code>
            </li>
          )}
          {entry.listing_version !== null && <li>{shown(entry.listing_version)}</li>}
          <li>{words.tools(number(entry.tool_count), entry.tool_count)}</li>
          {entry.prompt_count > 0 && <li>{words.prompts(number(entry.prompt_count), entry.prompt_count)}</li>}
          {entry.resource_count > 0 && <li>{words.resources(number(entry.resource_count), entry.resource_count)}</li>}
          <li>
            {entry.listed_at === null ? (
              words.never
            ) : (
              <>
                {words.asked} <When at={entry.listed_at} />
              </>
            )}
          </li>
        </ul>
        {entry.reason !== null && <p className={styles.text}>{shown(entry.reason)}</p>}
        {entry.paused_for > 0 && <p className={styles.text}>{words.paused(entry.paused_for)}</p>}
      </div>
      <Row>
        {account !== null && account !== 'CONNECTED' && (
          <Link to="/bundles/$bundleId" params={{ bundleId }} search={{ tab: 'accounts' }}>
            {words.accounts[account]}
          </Link>
        )}
        <Badge tone={tone} icon={icon}>
          {words.states[entry.state]}
        </Badge>
      </Row>
    </div>
  );
}
