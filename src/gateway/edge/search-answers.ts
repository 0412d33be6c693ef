import { JsonBytes } from '../protocol/json-bytes';
import { readJson } from '../protocol/json-reading';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { INDIRECT_CALL } from '../protocol/message-readings';
import type { Era } from '../protocol/revisions';
import type { SearchTool } from '../search/search-tools';
import type { ToolSearch } from '../search/tool-search';
import { readCall, readDescribe, readFind } from './search-arguments';

/** The parameters of a call that `call_tool` names; or the result that says what was wrong with its arguments. */
type IndirectCall = { readonly params: JsonObject } | { readonly fault: JsonObject };

/** @returns the result of `find_tools` or `describe_tools` */
export function searchResult(
  search: ToolSearch,
  name: Exclude<SearchTool, 'call_tool'>,
  args: JsonObject,
  era: Era,
): JsonObject {
  return name === 'find_tools' ? found(search, args) : described(search, args, era);
}

/** @param args of `call_tool`; those of the tool itself stay as they came */
export function indirectCall(args: JsonObject | JsonBytes): IndirectCall {
  const read = readCall(opened(args));
  if ('fault' in read) return { fault: wrong(read.fault) };
  const { name, args: given } = read.value;
  return { params: { name, ...(given === undefined ? {} : { arguments: given }) } };
}

function opened(args: JsonObject | JsonBytes): JsonObject {
  if (!(args instanceof JsonBytes)) return args;
  const read = readJson(args.bytes, INDIRECT_CALL);
  return 'value' in read && isObject(read.value) ? read.value : {};
}

function found(search: ToolSearch, args: JsonObject): JsonObject {
  const read = readFind(args);
  if ('fault' in read) return wrong(read.fault);
  return said(JSON.stringify(search.find(read.value.query, read.value.limit)));
}

function described(search: ToolSearch, args: JsonObject, era: Era): JsonObject {
  const read = readDescribe(args);
  if ('fault' in read) return wrong(read.fault);
  const { definitions, unknown, leftOut } = search.describe(read.value, era);
  const more = leftOut.length > 0 ? `,"left_out":${JSON.stringify(leftOut)}` : '';
  return said(`{"tools":[${definitions.join(',')}],"unknown":${JSON.stringify(unknown)}${more}}`);
}

/** As text only: with `structuredContent` besides, many clients would give the model all of it twice. */
function said(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

/** A mistake of a model, which it can mend (MCP 2026-07-28, tools, "Error Handling"). */
function wrong(fault: string): JsonObject {
  return { ...said(fault), isError: true };
}
