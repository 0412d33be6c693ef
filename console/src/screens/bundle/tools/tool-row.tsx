import { useId, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import type { BundleTool, BundleToolState, CredentialState } from '../../../api/schema';
import { Badge, type Tone } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import type { IconName } from '../../../ui/icon';
import { Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import styles from '../bundle.module.css';
import { ToolDefinition } from './tool-definition';
import { bundleWords } from '../words';

const words = bundleWords.tool;

const LOOK: Record<BundleToolState, readonly [Tone | undefined, IconName]> = {
  LISTED: ['good', 'check'],
  CHANGED: ['warn', 'alert'],
  NEW: ['accent', 'plus'],
  HIDDEN: [undefined, 'close'],
  GONE: ['bad', 'close'],
};

interface ToolRowProps {
  bundleId: string;
  tool: BundleTool;
  /** Whether its server can be used with the accounts of the person; null if it needs none. */
  need: CredentialState | null;
}

/** A tool as clients see it. What it takes is read when it is opened. */
export function ToolRow({ bundleId, tool, need }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const [tone, icon] = LOOK[tool.state];
  const name = shown(tool.name);
  return (
    <>
      <div className={styles.line}>
        <div className={styles.grow}>
          <code className={styles.title}>{name}</code>
          <ul className={styles.facts}>
            {tool.title !== null && (
              <li>
                <OtherText>{tool.title}</OtherText>
              </li>
            )}
            <li>
              {words.kinds[tool.kind]} {words.of} <OtherText>{tool.entry_key}</OtherText>
            </li>
            {tool.findings.map(({ code }) => (
              <li key={code}>{words.findings[code]}</li>
            ))}
          </ul>
        </div>
        <Row>
          {need !== null && need !== 'CONNECTED' && (
            <Link to="/bundles/$bundleId" params={{ bundleId }} search={{ tab: 'accounts' }}>
              {words.needs[need]}
            </Link>
          )}
          {need === 'CONNECTED' && <Badge icon="key">{words.needs[need]}</Badge>}
          <span title={words.stateHelp[tool.state]}>
            <Badge tone={tone} icon={icon}>
              {words.states[tool.state]}
            </Badge>
          </span>
          <Button
            icon={isOpen ? 'down' : 'right'}
            look="plain"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={words.detailsOf(name)}
            onClick={() => setOpen(!isOpen)}
          >
            {words.details}
          </Button>
        </Row>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Details bundleId={bundleId} tool={tool} />}
      </div>
    </>
  );
}

function Details({ bundleId, tool }: Omit<ToolRowProps, 'need'>) {
  const read = useRead('GET /v1/bundles/{bundle_id}/tools/{tool_id}', {
    path: { bundle_id: bundleId, tool_id: tool.id },
  });
  return (
    <div className={styles.detail}>
      {tool.state !== 'LISTED' && <p>{words.stateHelp[tool.state]}</p>}
      <Loaded read={read} lines={3}>
        {(detail) => <ToolDefinition definition={detail.shown ?? detail.definition} kind={tool.kind} />}
      </Loaded>
    </div>
  );
}
