import { useId, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import type { Bundle, BundleTool, CredentialState } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button, buttonClass } from '../../../ui/button';
import { Row } from '../../../ui/layout';
import layout from '../../../ui/layout.module.css';
import { OtherText, shown } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import styles from '../bundle.module.css';
import { bundleWords } from '../words';
import { isForbidden } from './forbidden';
import { StateBadge } from './state-badge';
import { ToolDefinition } from './tool-definition';
import { ToolSwitch } from './tool-switch';
import own from './tools.module.css';
import { toolsWords } from './words';

const words = bundleWords.tool;

interface ToolRowProps {
  bundle: Bundle;
  tool: BundleTool;
  /** Whether its server can be used with the accounts of the person; null if it needs none. */
  need: CredentialState | null;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

/** A tool as clients see it. What it takes is read when it is opened. */
export function ToolRow({ bundle, tool, need, isChosen, onChoose }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const name = shown(tool.name);
  const description = tool.description ?? tool.upstream_description;
  return (
    <>
      <div className={styles.line}>
        {bundle.may_modify && (
          <label className={own.check}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={(event) => onChoose(event.target.checked)}
              aria-label={toolsWords.choose(name)}
            />
          </label>
        )}
        <div className={styles.grow}>
          <Link
            to="/bundles/$bundleId"
            params={{ bundleId: bundle.id }}
            search={(former) => ({ ...former, tab: 'tools', tool: tool.id })}
            className={styles.strong}
          >
            <code>{name}</code>
          </Link>
          {description !== null && (
            <div className={layout.cut}>
              <OtherText>{description}</OtherText>
            </div>
          )}
          <Facts tool={tool} title={tool.title ?? tool.upstream_title} />
        </div>
        <Row>
          {need !== null && need !== 'CONNECTED' && (
            <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} search={{ tab: 'accounts' }}>
              {words.needs[need]}
            </Link>
          )}
          {need === 'CONNECTED' && <Badge icon="key">{words.needs[need]}</Badge>}
          <StateBadge state={tool.state} />
          {isForbidden(tool) && <Badge icon="lock">{toolsWords.notForYou}</Badge>}
          {bundle.may_modify && <ToolSwitch bundleId={bundle.id} tool={tool} />}
          {tool.kind === 'tool' && tool.state === 'LISTED' && !isForbidden(tool) && (
            <Link
              to="/bundles/$bundleId"
              params={{ bundleId: bundle.id }}
              search={(former) => ({ ...former, tab: 'tools', tool: tool.id, view: 'try' })}
              className={buttonClass('plain')}
              aria-label={toolsWords.tryOf(name)}
            >
              {toolsWords.try.short}
            </Link>
          )}
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
        {isOpen && <Details bundleId={bundle.id} tool={tool} />}
      </div>
    </>
  );
}

const Facts = ({ tool, title }: { tool: BundleTool; title: string | null }) => (
  <ul className={styles.facts}>
    {title !== null && (
      <li>
        <OtherText>{title}</OtherText>
      </li>
    )}
    <li>
      {words.kinds[tool.kind]} {words.of} <OtherText>{tool.entry_key}</OtherText>
    </li>
    {tool.name_override !== null && (
      <li>
        {toolsWords.renamedFrom} <OtherText>{tool.upstream_name}</OtherText>
      </li>
    )}
    {tool.fixed_arguments !== null && <li>{toolsWords.fixedCount(Object.keys(tool.fixed_arguments).length)}</li>}
    {tool.findings.map(({ code }) => (
      <li key={code}>{words.findings[code]}</li>
    ))}
  </ul>
);

function Details({ bundleId, tool }: { bundleId: string; tool: BundleTool }) {
  const read = useRead('GET /v1/bundles/{bundle_id}/tools/{tool_id}', {
    path: { bundle_id: bundleId, tool_id: tool.id },
  });
  return (
    <div className={styles.detail}>
      {tool.state !== 'LISTED' && <p>{words.stateHelp[tool.state]}</p>}
      {isForbidden(tool) && <p>{toolsWords.notForYouHelp}</p>}
      <Loaded read={read} lines={3}>
        {(detail) => <ToolDefinition definition={detail.shown ?? detail.definition} kind={tool.kind} />}
      </Loaded>
    </div>
  );
}
