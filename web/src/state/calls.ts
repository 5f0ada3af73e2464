// The tool calls of an answer, and how events change them. Pure.
import type { Arguments, Call, CallChanged, CallState, Progress } from '../protocol';
import { strings } from '../text/strings';
import { dropUtf8Bytes, utf8Length } from '../text/utf8';
import { visibleText } from '../text/visible';
import type { HeldMessage } from './conversation';

export interface HeldCall extends Call {
  argumentBytes: number; // UTF-8 length of the arguments
  progress: Progress | null; // the last one told, while it runs
}

const active: readonly CallState[] = ['writing', 'awaiting_approval', 'running'];

// The call has not ended: more will be told of it.
export function isActive(call: Call): boolean {
  return active.includes(call.state);
}

// What is to be said aloud of an answer's calls while it goes on: of one that waits for the user, else of the newest
// that runs, else of the newest that has ended. Empty: nothing.
export function newsOf(calls: Call[]): string {
  const told =
    calls.find((call) => call.state === 'awaiting_approval') ??
    calls.findLast((call) => call.state === 'running') ??
    calls.findLast((call) => !isActive(call));
  if (!told) return '';
  const name = told.name === '' ? strings.call.unnamed : visibleText(told.name);
  return strings.call.news(name, strings.call.states[told.state]);
}

function holdCall(call: Call, progress: Progress | null): HeldCall {
  return { ...call, argumentBytes: utf8Length(call.arguments), progress };
}

// Calls as they come with a message, which tells nothing of progress: of calls that go on, the last one stays.
export function holdCalls(calls: Call[], old: HeldCall[]): HeldCall[] {
  return calls.map((call, index) => {
    const before = old[index];
    const goesOn = call.state === 'running' && before?.call === call.call;
    return holdCall(call, goesOn ? before.progress : null);
  });
}

export function changeCall(message: HeldMessage, event: CallChanged): HeldMessage | 'misfit' {
  if (event.index < 0 || event.index > message.calls.length) return 'misfit';
  return withCall(message, event.index, holdCall(event.call, event.progress));
}

// Pieces that leave a gap, or belong to another epoch, are waited out: `call_changed` brings the arguments whole.
export function growArguments(message: HeldMessage, event: Arguments): HeldMessage {
  const call = message.calls[event.index];
  if (!call || call.state !== 'writing' || message.epoch !== event.epoch) return message;
  if (event.offset > call.argumentBytes) return message;
  const added = dropUtf8Bytes(event.text, call.argumentBytes - event.offset);
  if (added === null || added === '') return message;
  const argumentBytes = call.argumentBytes + utf8Length(added);
  return withCall(message, event.index, { ...call, arguments: call.arguments + added, argumentBytes });
}

function withCall(message: HeldMessage, index: number, call: HeldCall): HeldMessage {
  const calls = message.calls.slice();
  calls[index] = call;
  return { ...message, calls, preparing: false };
}
