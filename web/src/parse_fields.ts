// Reads single JSON values strictly: one of another type than wanted throws Malformed. For parse_frame.ts and
// parse_values.ts alone.

export type Fields = Record<string, unknown>;

// Thrown by the readers, caught by parseFrame only.
export class Malformed extends Error {}

export function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed();
  return value as Fields;
}
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new Malformed();
  return value;
}
export function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Malformed();
  return value;
}
export function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Malformed();
  return value;
}
export function list<T>(value: unknown, item: (v: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Malformed();
  return value.map(item);
}
export function nullable<T>(value: unknown, read: (v: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}
export function oneOf<T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Malformed();
  return found;
}
