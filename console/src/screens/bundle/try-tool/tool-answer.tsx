import { Link } from '@tanstack/react-router';
import type { BundleToolAnswer } from '../../../api/schema';
import { number } from '../../../messages/text';
import { CopyBlock } from '../../../ui/copy';
import { Badge } from '../../../ui/badge';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { type Content, contentOf, pictureOf } from './answer-content';
import styles from './try-tool.module.css';
import { tryWords } from './words';

interface ToolAnswerProps {
  bundleId: string;
  answer: BundleToolAnswer;
  /** How long it took, in milliseconds. */
  took: number;
}

/** What a tool answered: its content as text and pictures, and the whole as JSON. */
export function ToolAnswer({ bundleId, answer: { result, error }, took }: ToolAnswerProps) {
  const isFailed = result?.['isError'] === true;
  const structured = result?.['structuredContent'];
  const whole = JSON.stringify(result ?? error, null, 2);
  return (
    <Stack gap="tight">
      <Row>
        <h4>{tryWords.answer}</h4>
        {error ? (
          <Badge tone="bad" icon="close">
            {tryWords.refused}
          </Badge>
        ) : (
          <Badge tone={isFailed ? 'bad' : 'good'} icon={isFailed ? 'alert' : 'check'}>
            {isFailed ? tryWords.failed : tryWords.succeeded}
          </Badge>
        )}
        <Quiet>{tryWords.took(number(Math.round(took / 10) / 100))}</Quiet>
      </Row>
      {error && (
        <>
          <p>
            <OtherText>{typeof error['message'] === 'string' ? error['message'] : ''}</OtherText>{' '}
            <Quiet>{tryWords.code(String(error['code']))}</Quiet>
          </p>
          <p>
            <Link to="/bundles/$bundleId" params={{ bundleId }} search={{ tab: 'accounts' }}>
              {tryWords.accounts}
            </Link>
          </p>
        </>
      )}
      {result && <Contents contents={contentOf(result)} hasMore={structured !== undefined} />}
      {structured !== undefined && (
        <>
          <h5>{tryWords.structured}</h5>
          <CopyBlock text={JSON.stringify(structured, null, 2)} what={tryWords.structured} />
        </>
      )}
      <details className={styles.details}>
        <summary>{tryWords.whole}</summary>
        <CopyBlock text={whole} what={tryWords.whole} />
      </details>
    </Stack>
  );
}

function Contents({ contents, hasMore }: { contents: readonly Content[]; hasMore: boolean }) {
  if (contents.length === 0) return hasMore ? null : <Quiet>{tryWords.empty}</Quiet>;
  return (
    <div className={styles.contents} tabIndex={0} role="region" aria-label={tryWords.answer}>
      {contents.map((content, index) => (
        <OneContent key={index} content={content} place={index + 1} />
      ))}
    </div>
  );
}

function OneContent({ content, place }: { content: Content; place: number }) {
  if (content.kind === 'text') {
    return (
      <p className={styles.text}>
        <OtherText>{content.text}</OtherText>
      </p>
    );
  }
  const picture = content.kind === 'image' ? pictureOf(content) : undefined;
  if (picture !== undefined)
    return <img className={styles.picture} src={picture} alt={tryWords.image(number(place))} />;
  return (
    <p>
      {tryWords.other(shown(content.type))}
      {content.kind === 'image' && <> – {tryWords.tooLarge}</>}
      {content.kind === 'other' && content.address !== undefined && (
        <>
          {' '}
          <code>{shown(content.address)}</code>
        </>
      )}
    </p>
  );
}
