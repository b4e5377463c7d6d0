import { explainFiltered } from './filtered.js'

const event = { type: 'click', at: new Date('2026-01-31T12:00:00Z') } as const

it('names the condition, and offers to change the filter and to replay the event', () => {
  expect(explainFiltered(event, 'human_only', false)).toMatchObject({
    reason: 'filtered',
    sentence:
      'The webhook subscribes to click, but its filter excludes this event now: the click is from a bot, and `human_only` is true.',
    nextStep: {
      action: 'update',
      message:
        'Change the filter to receive future events like this one. To deliver this one too, replay events since 2026-01-31T12:00:00.000Z and ignore the filter.',
    },
  })
})

it('offers no replay of an event that is no longer kept', () => {
  const { nextStep } = explainFiltered(event, 'tags', true)
  expect(nextStep.message).toBe('Change the filter to receive future events like this one.')
})

it('offers no action if the token of the webhook was restricted', () => {
  const { sentence, nextStep } = explainFiltered(event, 'restricted_tags', false)
  expect(sentence).toContain('created by a token that is restricted to tags')
  expect(nextStep).toMatchObject({
    action: 'none',
    message: expect.stringContaining('Create a webhook'.toLowerCase()),
  })
})
