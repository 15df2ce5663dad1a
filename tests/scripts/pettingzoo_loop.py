"""A game of connect four between two random agents, as PettingZoo users write it."""

from paidia.connect.pettingzoo import aec_env

env = aec_env("connect4")
env.reset(seed=1)
total = dict.fromkeys(env.agents, 0.0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    total[agent] += reward
    action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
assert sum(total.values()) == 0, total
print("done", total)
