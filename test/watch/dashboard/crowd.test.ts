// Who keeps a connection when there are more than places.

import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createCrowd } from "../../../src/watch/dashboard/crowd.ts";

function visitor(remotePort: number, localAddress = "127.0.0.1"): Socket {
  return Object.defineProperties(new Socket(), {
    remoteAddress: { value: "127.0.0.1" },
    remotePort: { value: remotePort },
    localAddress: { value: localAddress },
  });
}

const gone = (visitors: readonly Socket[]): readonly number[] =>
  visitors.filter(({ destroyed }) => destroyed).map(({ remotePort }) => remotePort ?? 0);

test("a room that is full takes the newest and lets the oldest go, and no room takes places of another", () => {
  const crowd = createCrowd({ silent: 2, asked: 2, trusted: 2 });
  const [one, two, three, four, five, six] = [1, 2, 3, 4, 5, 6].map((port) => visitor(port)) as [
    Socket,
    Socket,
    Socket,
    Socket,
    Socket,
    Socket,
  ];
  const all = [one, two, three, four, five, six];
  crowd.enter(one);
  crowd.move(one, "trusted");
  crowd.enter(two);
  crowd.move(two, "asked");
  for (const silent of [three, four, five]) crowd.enter(silent);
  expect(gone(all)).toEqual([3]);
  // Asking again is nothing new, and who has shown the token once stays trusted.
  crowd.move(two, "asked");
  crowd.move(one, "asked");
  crowd.move(four, "asked");
  crowd.move(five, "asked");
  expect(gone(all)).toEqual([2, 3]);
  // Who watches is counted elsewhere.
  crowd.leave(four);
  crowd.enter(six);
  crowd.move(six, "asked");
  expect(gone(all)).toEqual([2, 3]);
});

test("who has gone leaves a place, and another may come from the same port", async () => {
  const crowd = createCrowd({ silent: 1, asked: 1, trusted: 1 });
  const [first, second] = [visitor(7), visitor(7)];
  crowd.enter(first);
  const closed = new Promise((over) => first.once("close", over));
  first.destroy();
  crowd.enter(second);
  await closed;
  crowd.move(second, "asked");
  const third = visitor(8);
  crowd.enter(third);
  crowd.move(third, "asked");
  expect([second.destroyed, third.destroyed]).toEqual([true, false]);
});

test("who comes from one port to several addresses of the machine takes a place with each", () => {
  const crowd = createCrowd({ silent: 2, asked: 2, trusted: 2 });
  const all = ["127.0.0.1", "127.0.0.2", "127.0.0.3"].map((address) => visitor(7, address));
  for (const one of all) crowd.enter(one);
  expect(all.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
});
