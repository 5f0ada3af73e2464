// Messages as they are shown: questions, and all answers to one question as one. A turn in which tools are called is a
// chain of answers, each given the results of the one above. Pure.
import type { HeldMessage, ConversationView } from './conversation';
import { isActive } from './calls';
import { takeApart } from './reasoning';

export type Row =
  | { key: string; question: HeldMessage; answers: null }
  | { key: string; question: null; answers: HeldMessage[] };

// Rows that have not changed are those of `before`, so that only what changed is drawn again.
export function groupTurns(messages: HeldMessage[], before: Row[]): Row[] {
  const rows: Row[] = [];
  for (const message of messages) {
    const last = rows.at(-1);
    if (message.role === 'user') rows.push({ key: message.message, question: message, answers: null });
    else if (last?.answers) last.answers.push(message);
    else rows.push({ key: message.message, question: null, answers: [message] });
  }
  return rows.map((row, index) => {
    const old = before[index];
    return old && same(old, row) ? old : row;
  });
}

function same(a: Row, b: Row): boolean {
  if (!a.answers || !b.answers) return a.question === b.question;
  const others = b.answers;
  return a.answers.length === others.length && a.answers.every((answer, index) => answer === others[index]);
}

// The turn goes on: an answer grows, or calls are written or run. Between two answers, and while a call waits for a
// decision, only the server knows whether it does (`running`): not after a restart.
export function isAnswering(view: ConversationView | null, running: boolean): boolean {
  const messages = view?.messages ?? [];
  if (messages.some((m) => m.status === 'streaming')) return true;
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.calls.length === 0) return false;
  if (last.calls.some((call) => call.state === 'writing' || call.state === 'running')) return true;
  return running && (last.stop_reason === 'tool_calls' || last.calls.some(isActive));
}

export function awaitsDecision(message: HeldMessage | undefined): boolean {
  return message?.calls.some((call) => call.state === 'awaiting_approval') ?? false;
}

// Of the newest answer, when nothing goes on.
export function canContinue(answer: HeldMessage): boolean {
  if (answer.status === 'stopped' || answer.status === 'interrupted') return !awaitsDecision(answer);
  if (answer.status === 'failed') return answer.text !== '' || answer.calls.length > 0;
  return answer.stop_reason === 'length' || isUnanswered(answer);
}

// All its calls have ended, and no answer was given their results: too many rounds, or the server ended.
export function isUnanswered(answer: HeldMessage): boolean {
  const ended = answer.calls.length > 0 && !answer.calls.some(isActive);
  return ended && answer.status === 'complete' && answer.stop_reason === 'tool_calls';
}

// Without what the model thought.
export function wholeText(answers: HeldMessage[]): string {
  return answers
    .map((answer) => takeApart(answer).text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}
