import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { Call } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy';
import { Facts, Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import styles from './calls.module.css';
import type { CallSearch } from './calls-tab';
import { fullTime } from './clock';
import { callsWords, duration, size } from './words';

const words = callsWords.detail;
const ERRORS: Partial<Record<string, string>> = callsWords.errors;

interface CallDetailProps {
  call: Call;
  who: string;
  server: string;
  bundleId: string;
  onChoose: (next: CallSearch) => void;
}

/** All that is recorded of a call, what is not, and why. */
export function CallDetail({ call, who, server, bundleId, onChoose }: CallDetailProps) {
  const id = useId();
  const { tool, name, client, outcome, error_code: code } = call;
  return (
    <section id={`call-${call.id}`} className={styles.detail} aria-labelledby={id}>
      <h3 id={id} className={styles.unseen}>
        {words.of(shown(tool ?? call.method))}
      </h3>
      <Facts
        facts={[
          [callsWords.record.columns.when, fullTime(call.created_at)],
          [
            callsWords.record.columns.outcome,
            <Stack key="outcome" gap="tight">
              <span>{callsWords.outcomeHelp[outcome]}</span>
              {code !== null && (
                <span>
                  {ERRORS[code] !== undefined && `${ERRORS[code]} `}
                  <code>{shown(code)}</code>
                </span>
              )}
            </Stack>,
          ],
          [words.arguments, <Arguments key="arguments" call={call} bundleId={bundleId} />],
          [words.answer, call.bytes_out === null ? words.noAnswer : words.answerSize(size(call.bytes_out))],
          [words.took, durationWords(call)],
          [
            words.tool,
            <Stack key="tool" gap="tight">
              {name !== null && (
                <span>
                  <OtherText>{words.atServer(shown(name))}</OtherText>
                </span>
              )}
              {tool !== null && (
                <Link to="/bundles/$bundleId" params={{ bundleId }} search={{ tab: 'tools', q: tool }}>
                  {words.toTool}
                </Link>
              )}
            </Stack>,
          ],
          [callsWords.record.columns.server, <bdi key="server">{server}</bdi>],
          [words.who, <bdi key="who">{who}</bdi>],
          [
            words.client,
            <span key="client">
              <OtherText>{[client.name, client.version].filter((part) => part !== null).join(' ')}</OtherText>{' '}
              <Quiet>{words.eras[call.era]}</Quiet>
            </span>,
          ],
          [
            words.served,
            `${words.version(call.bundle_version)}, ${call.deployment_id === null ? words.byEndpoint : words.byDeployment}`,
          ],
          [words.method, <code key="method">{shown(call.method)}</code>],
          [
            words.trace,
            call.trace_id === null ? words.noTrace : <Id key="trace" id={call.trace_id} what={words.traceWhat} />,
          ],
          [words.request, <Id key="request" id={call.request_id} what={words.requestWhat} />],
        ]}
      />
      <Row>
        {tool !== null && <Button onClick={() => onChoose({ tool })}>{words.onlyThisTool}</Button>}
        <Button onClick={() => onChoose({ person: call.principal.id })}>{words.onlyTheirs}</Button>
      </Row>
    </section>
  );
}

const Id = ({ id, what }: { id: string; what: string }): ReactNode => (
  <Row>
    <code>{shown(id)}</code>
    <CopyButton text={id} what={what} />
  </Row>
);

function durationWords({ duration_ms: all, upstream_ms: ofServer }: Call): string {
  if (all === null) return words.noAnswer;
  return ofServer === null
    ? words.tookWithoutServer(duration(all))
    : words.tookOfServer(duration(all), duration(ofServer));
}

function Arguments({ call, bundleId }: { call: Call; bundleId: string }) {
  const { argument_keys: keys, argument_digest: digest } = call;
  if (keys === null && digest === null) {
    return (
      <Stack gap="tight">
        <span>{words.notRecorded}</span>
        <Link to="/bundles/$bundleId" params={{ bundleId }} search={{ tab: 'endpoint' }}>
          {words.switchOn}
        </Link>
      </Stack>
    );
  }
  return (
    <Stack gap="tight">
      {keys?.length === 0 && <span>{words.noArguments}</span>}
      {keys !== null && keys.length > 0 && (
        <span>
          {words.argumentNames}:{' '}
          {keys.map((key, index) => (
            <span key={index}>
              {index > 0 && ', '}
              <code>{shown(key)}</code>
            </span>
          ))}
        </span>
      )}
      {digest !== null && (
        <span>
          {words.argumentDigest}: <code>{digest}</code> <Quiet>{words.argumentDigestHelp}</Quiet>
        </span>
      )}
    </Stack>
  );
}
