import { Link } from '@tanstack/react-router';
import type { Bundle } from '../../../../api/schema';
import { number } from '../../../../messages/text';
import { Badge } from '../../../../ui/badge';
import { buttonClass } from '../../../../ui/button';
import { CopyButton } from '../../../../ui/copy';
import { Quiet, Row, Stack } from '../../../../ui/layout';
import { OtherText, shown } from '../../../../ui/other-text';
import { visibleJson } from '../../../../ui/visible-json';
import { revealed } from '../revealed';
import type { Detail } from '../rule-tools';
import styles from '../tools.module.css';
import { toolsWords } from '../words';
import { type ContentPart, errorCode, gatewayCode, MAX_PARTS, MAX_TEXT, partsOf } from './answer-content';
import type { Trial } from './use-trial';

const words = toolsWords.answer;

/** It may be below what is seen of the form. */
const intoView = (section: HTMLElement | null) => section?.scrollIntoView({ block: 'nearest' });

interface ToolAnswerProps {
  bundle: Bundle;
  tool: Detail;
  answer: Trial;
  tookMs: number;
}

/** What a tool has answered, and what a person can do where it failed. */
export function ToolAnswer({ bundle, tool, answer: { result, error }, tookMs }: ToolAnswerProps) {
  const hasFailed = result === null || result['isError'] === true;
  const code = result ? gatewayCode(result) : error ? errorCode(error) : undefined;
  return (
    <section ref={intoView} className={styles.side} aria-label={words.title}>
      <Row>
        <h3>{words.title}</h3>
        <Badge tone={hasFailed ? 'bad' : 'good'} icon={hasFailed ? 'alert' : 'check'}>
          {hasFailed ? words.failed : words.succeeded}
        </Badge>
        <Quiet>{words.took(number(Math.round(tookMs) / 1_000))}</Quiet>
      </Row>
      <Advice bundle={bundle} tool={tool} code={code} />
      {error && <p>{shown(textOf(error['message']))}</p>}
      {result && <Result result={result} />}
    </section>
  );
}

function Advice({ bundle, tool, code }: Pick<ToolAnswerProps, 'bundle' | 'tool'> & { code: string | undefined }) {
  const advice = code === undefined ? undefined : words.advice[code];
  if (code === undefined || advice === undefined) return null;
  const params = { bundleId: bundle.id };
  return (
    <>
      <p>{advice}</p>
      {code === 'credential_required' && (
        <div>
          <Link to="/bundles/$bundleId" params={params} search={{ tab: 'accounts' }} className={buttonClass('primary')}>
            {words.toAccounts}
          </Link>
        </div>
      )}
      {code === 'definition_changed' && bundle.may_modify && (
        <div>
          <Link
            to="/bundles/$bundleId"
            params={params}
            search={{ tab: 'tools', review: tool.id }}
            className={buttonClass('primary')}
          >
            {toolsWords.held.reviewThis}
          </Link>
        </div>
      )}
    </>
  );
}

function Result({ result }: { result: Record<string, unknown> }) {
  const parts = partsOf(result);
  const structured = result['structuredContent'];
  const content = result['content'];
  const left = Array.isArray(content) ? content.length - parts.length : 0;
  return (
    <Stack>
      {parts.length === 0 && structured === undefined && <Quiet>{words.empty}</Quiet>}
      {parts.map((part, index) => (
        <Part key={index} part={part} number={index + 1} />
      ))}
      {left > 0 && <Quiet>{words.left(left, MAX_PARTS)}</Quiet>}
      {structured !== undefined && (
        <>
          <h4>{words.structured}</h4>
          <Text text={visibleJson(structured) ?? ''} label={words.structured} isCut={false} />
        </>
      )}
      <div>
        <CopyButton text={JSON.stringify(result, null, 2)} what={words.whole} />
      </div>
    </Stack>
  );
}

function Part({ part, number: place }: { part: ContentPart; number: number }) {
  switch (part.kind) {
    case 'text':
      return <Text text={revealed(part.text)} label={words.part(place)} isCut={part.isCut} />;
    case 'image':
      return <img className={styles.picture} src={part.source} alt={words.image(place)} />;
    case 'link':
      return (
        <p>
          {words.link}: <OtherText>{part.name}</OtherText> <code>{shown(part.uri)}</code>
        </p>
      );
    case 'resource':
      return (
        <>
          <p>
            {words.resource}: <code>{shown(part.uri)}</code>
          </p>
          <Text text={revealed(part.text)} label={words.part(place)} isCut={part.isCut} />
        </>
      );
    case 'other':
      return <p>{words.other(shown(part.type), part.bytes === undefined ? undefined : number(part.bytes))}</p>;
  }
}

const Text = ({ text, label, isCut }: { text: string; label: string; isCut: boolean }) => (
  <>
    <pre className={styles.text} tabIndex={0} aria-label={label}>
      {text.slice(0, MAX_TEXT)}
    </pre>
    {(isCut || text.length > MAX_TEXT) && <Quiet>{words.cut}</Quiet>}
  </>
);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
